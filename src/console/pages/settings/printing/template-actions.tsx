import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { translateTemplateName } from '../../../kit/files/built-in-templates.ts'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { t } from '../../../kit/language/language.ts'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { get, post, saveTextFile } from '../../../kit/service/api.ts'
import { remove } from '../../../kit/service/saves.ts'
import { getFileField, getTextUrl, type Template, type TemplateKind, toFileName, toFileValue } from './template-kinds.ts'

export type KindTemplate = { kind: TemplateKind; template: Template }

/** The URL of a template in the API. */
export const getTemplateUrl = ({ kind, template }: KindTemplate): string => `/api/${kind.path}/${template.pk}/`

const readText = async ({ kind, template }: KindTemplate): Promise<string> =>
  (await get<{ text: string }>(getTextUrl(kind.path, template.pk))).body.text

/** Downloads the text of a template as a file, which can be imported elsewhere. */
export const exportTemplate = (target: KindTemplate): Promise<boolean> =>
  attempt(async () => saveTextFile(await readText(target), toFileName(target.template.name), 'text/html'))

/** Creates a copy of a template. @param onDone receives it */
export const duplicateTemplate = (target: KindTemplate, onDone: (copy: Template) => void): Promise<boolean> =>
  attempt(async () => {
    const { kind, template } = target
    const { pk, etag, problems, origin, ...values } = template
    const name = t('templates.copy-of', { name: translateTemplateName(template.name) }).slice(0, 100)
    const file = toFileValue(await readText(target), toFileName(name))
    const { body } = await post<Template>(`/api/${kind.path}/`, { ...values, name, [getFileField(kind)]: file })
    showToast(t('templates.created', { name: body.name }))
    onDone(body)
  })

type Questions = {
  askReset: (target: KindTemplate) => void
  askDelete: (target: KindTemplate) => void
  /** The open question, rendered where the component puts it. */
  dialog: ComponentChildren
}

/** The questions before a template is reset or deleted. */
export function useTemplateQuestions({ onReset, onDeleted }: { onReset: () => void; onDeleted: () => void }): Questions {
  const reset: Signal<KindTemplate | undefined> = useSignal(undefined)
  const deleted: Signal<KindTemplate | undefined> = useSignal(undefined)
  const dialog = reset.value ? (
    <Confirm
      title={t('templates.reset-ask', { name: translateTemplateName(reset.value.template.name) })}
      button={t('templates.reset')}
      onConfirm={async (key) => {
        const target = reset.value as KindTemplate
        await post(`${getTemplateUrl(target)}reset/`, {}, key, target.template.etag)
        showToast(t('templates.was-reset', { name: translateTemplateName(target.template.name) }))
        onReset()
      }}
      onClose={() => {
        reset.value = undefined
      }}
    >
      <p>{t('templates.reset.about')}</p>
    </Confirm>
  ) : deleted.value ? (
    <Confirm
      title={t('templates.delete-ask', { name: translateTemplateName(deleted.value.template.name) })}
      button={t('delete')}
      onConfirm={async () => {
        const target = deleted.value as KindTemplate
        await remove(getTemplateUrl(target), target.template.etag)
        showToast(t('templates.deleted', { name: translateTemplateName(target.template.name) }))
        onDeleted()
      }}
      onClose={() => {
        deleted.value = undefined
      }}
    >
      <p>{t('templates.delete.about')}</p>
    </Confirm>
  ) : null
  return {
    askReset(target) {
      reset.value = target
    },
    askDelete(target) {
      deleted.value = target
    },
    dialog,
  }
}

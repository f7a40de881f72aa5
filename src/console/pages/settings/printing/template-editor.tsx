import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { translateTemplateName } from '../../../kit/files/built-in-templates.ts'
import { Combobox } from '../../../kit/form/combobox.tsx'
import { Conflict } from '../../../kit/form/edit.tsx'
import { useForm, type Values } from '../../../kit/form/form.tsx'
import { Problem } from '../../../kit/form/form-footer.tsx'
import { t } from '../../../kit/language/language.ts'
import { useCommands } from '../../../kit/navigation/keys.ts'
import { navigate, readQuery, setQuery } from '../../../kit/navigation/router.ts'
import { discardInput, registerUnsavedChanges } from '../../../kit/navigation/unsaved-input.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { type ApiResponse, saveTextFile } from '../../../kit/service/api.ts'
import { save as saveInTurn } from '../../../kit/service/saves.ts'
import { SettingsPage } from '../settings-page.tsx'
import { CodeEditor } from './code-editor.tsx'
import { duplicateTemplate, getTemplateUrl, useTemplateQuestions } from './template-actions.tsx'
import { TemplateDetails } from './template-details.tsx'
import {
  getFileField,
  getMetadata,
  getTemplatePage,
  hasTemplatePermission,
  isLabel,
  type Template,
  type TemplateKind,
  toFileName,
  toFileValue,
} from './template-kinds.ts'
import type { TemplateLanguage } from './template-language.ts'
import { TemplatePreview, useTemplatePreview } from './template-preview.tsx'
import { TemplateVariables } from './template-variables.tsx'
import { TemplateBadges } from './templates.tsx'

type Properties = {
  kind: TemplateKind
  start: ApiResponse<Template>
  /** The text of its file; undefined if that is missing. */
  text: string | undefined
  language: TemplateLanguage
  /** Reloads the template: after a reset, or to discard one's own version in a conflict. */
  onOtherVersion: () => void
}

const TABS = ['source', 'details', 'preview'] as const
type Tab = (typeof TABS)[number]

/** The fields of a template that a preview depends on. */
const LABEL_FIELDS = ['name', 'description', 'width', 'height', 'filename_pattern']
const REPORT_FIELDS = ['name', 'description', 'page_size', 'landscape', 'include_installed', 'filename_pattern']
/** The fields that the editor changes in addition to the text. */
const FIELDS = [...LABEL_FIELDS, ...REPORT_FIELDS, 'filters', 'enabled'].filter((name, index, all) => all.indexOf(name) === index)

/**
 * A template's text next to its live preview. The URL holds the object of the preview and the tab. What was typed stays until it is saved,
 * or discarded by a decision of the user.
 */
export function TemplateEditor({ kind, start, text: startText, language, onOtherVersion }: Properties) {
  const { pk } = start.body
  const form = useForm(getMetadata(kind), start.body as Values)
  const text = useSignal(startText ?? '')
  const insert = useRef<((text: string) => void) | undefined>(undefined)
  const savedTemplate = useSignal({ values: start.body as Values, text: startText ?? '', etag: start.etag })
  const conflict = useSignal<ApiResponse<Template> | undefined>(undefined)
  const template = savedTemplate.value.values as Template
  const target = { kind, template: { ...template, etag: savedTemplate.value.etag } }
  const canChange = hasTemplatePermission('change', kind)

  const listChanges = (): Values => {
    const [values, savedValues] = [form.values.value, savedTemplate.value.values]
    const changed = FIELDS.filter((name) => String(values[name] ?? '') !== String(savedValues[name] ?? ''))
    return Object.fromEntries(changed.map((name) => [name, values[name]]))
  }
  const isTextChanged = () => text.value !== savedTemplate.value.text
  const hasChanges = () => isTextChanged() || Object.keys(listChanges()).length > 0
  const latest = useRef({ hasChanges })
  latest.current = { hasChanges }
  useEffect(
    () =>
      registerUnsavedChanges({
        hasChanges: () => latest.current.hasChanges(),
        discard() {
          savedTemplate.value = {
            ...savedTemplate.value,
            values: { ...savedTemplate.value.values, ...listChanges() },
            text: text.value,
          }
        },
      }),
    [],
  )

  async function save(etag = savedTemplate.value.etag): Promise<void> {
    if (!canChange || !hasChanges()) return
    const savedText = text.value
    const changes = listChanges()
    const file = isTextChanged() ? { [getFileField(kind)]: toFileValue(savedText, toFileName(template.name)) } : {}
    const result = await form.submit(() => saveInTurn<Template>(getTemplateUrl(target), { ...changes, ...file }, etag))
    if (!result) return
    if ('conflict' in result) {
      conflict.value = result.conflict
      return
    }
    const { body, etag: newEtag } = result.saved
    discardInput()
    // the fields stay as they were typed; what was typed since the request is not saved yet
    savedTemplate.value = { values: { ...body, ...changes }, text: savedText, etag: newEtag }
    showToast(t('templates.saved', { name: body.name }))
  }

  const object = Number(readQuery('object')) || undefined
  const names = isLabel(kind) ? LABEL_FIELDS : REPORT_FIELDS
  const preview = useTemplatePreview({
    kind: kind.path,
    template: pk,
    source: text.value,
    item: object ?? null,
    ...Object.fromEntries(
      names.flatMap((name) => (form.values.value[name] === undefined ? [] : [[name, form.values.value[name]]])),
    ),
  })
  const questions = useTemplateQuestions({
    onReset: onOtherVersion,
    onDeleted() {
      discardInput()
      navigate('/settings/templates/')
    },
  })
  useCommands(
    () => (canChange ? [{ keys: 'Ctrl+S', label: () => t('save'), run: () => void save() }] : []),
    [canChange, savedTemplate.value],
  )
  const actions = useActions(
    [
      canChange && { title: t('save'), icon: 'check', run: () => void save() },
      hasTemplatePermission('add', kind) && {
        title: t('templates.duplicate'),
        icon: 'plus',
        run: () => void duplicateTemplate(target, (copy) => navigate(getTemplatePage(kind, copy.pk))),
      },
      { title: t('templates.export'), icon: 'down', run: () => saveTextFile(text.value, toFileName(template.name), 'text/html') },
      canChange &&
        template.origin !== 'own' && { title: t('templates.reset'), icon: 'undo', run: () => questions.askReset(target) },
      hasTemplatePermission('delete', kind) && { title: t('delete'), icon: 'trash', run: () => questions.askDelete(target) },
    ],
    1,
  )
  const tab: Tab = TABS.find((one) => one === readQuery('tab')) ?? 'source'
  const id = useId()
  return (
    <SettingsPage
      title={translateTemplateName(template.name)}
      crumbs={[{ text: t('templates.title'), to: '/settings/templates/' }]}
      state={
        <>
          <TemplateBadges template={template} />
          {hasChanges() && <span class="quiet-text">{t('templates.unsaved')}</span>}
        </>
      }
      actions={actions}
      rejection={t('templates.for-roles')}
    >
      <Problem form={form} />
      {!canChange && <p class="notice">{t('templates.read-only')}</p>}
      {startText === undefined && <p class="problem">{t('templates.file-gone')}</p>}
      <div class="template-editor" data-tab={tab}>
        <div class="template-tabs" role="tablist" aria-label={t(kind.title)}>
          {TABS.map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              id={`${id}-${one}`}
              class={one === 'preview' ? 'quiet narrow-only' : 'quiet'}
              aria-selected={tab === one}
              aria-controls={`${id}-panel-${one}`}
              onClick={() => setQuery({ tab: one === 'source' ? undefined : one }, { replace: true })}
            >
              {t(`templates.tab-${one}`)}
            </button>
          ))}
        </div>
        <div class="template-source" id={`${id}-panel-source`} role="tabpanel" aria-labelledby={`${id}-source`}>
          <CodeEditor
            text={text.value}
            title={t('templates.text')}
            language={language}
            errors={preview.errors}
            isReadOnly={!canChange}
            insert={insert}
            onText={(newText) => {
              text.value = newText
            }}
          />
          {canChange && (
            <TemplateVariables language={language} text={text.value} onInsert={(newText) => insert.current?.(newText)} />
          )}
        </div>
        <div class="template-details" id={`${id}-panel-details`} role="tabpanel" aria-labelledby={`${id}-details`}>
          <TemplateDetails kind={kind} form={form} isReadOnly={!canChange} onSave={() => void save()} />
        </div>
        <div class="template-result" id={`${id}-panel-preview`} role="tabpanel" aria-labelledby={`${id}-preview`}>
          <div class="field">
            <label for={`${id}-object`}>{t('templates.preview-object', { object: t(kind.object) })}</label>
            <Combobox
              source={kind.source}
              value={object}
              placeholder={t('templates.sample')}
              onPick={(row) => setQuery({ object: row ? String(row.pk) : undefined }, { replace: true })}
              attributes={{ id: `${id}-object` }}
            />
          </div>
          <TemplatePreview preview={preview} title={translateTemplateName(template.name)} />
        </div>
      </div>
      {questions.dialog}
      {conflict.value && (
        <Conflict
          mine={{ ...listChanges(), ...(isTextChanged() ? { text: t('templates.my-text') } : {}) }}
          theirs={{ ...(conflict.value.body as Values), text: t('templates.their-text') }}
          onMine={() => {
            const etag = conflict.value?.etag
            conflict.value = undefined
            void save(etag)
          }}
          onTheirs={() => {
            conflict.value = undefined
            discardInput()
            onOtherVersion()
          }}
          onClose={() => {
            conflict.value = undefined
          }}
        />
      )}
    </SettingsPage>
  )
}

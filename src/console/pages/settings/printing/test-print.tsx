import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { translateTemplateName } from '../../../kit/files/built-in-templates.ts'
import { Combobox } from '../../../kit/form/combobox.tsx'
import { bindSubmit, useForm } from '../../../kit/form/form.tsx'
import { FormFooter } from '../../../kit/form/form-footer.tsx'
import { getSource } from '../../../kit/form/reference.ts'
import { t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { type Page, print, withQuery } from '../../../kit/service/api.ts'
import { Dialog } from '../../../kit/window/dialog.tsx'
import type { Machine } from './machine.ts'

type Template = { pk: number; name: string }
type Kind = 'part' | 'stock' | 'location' | 'buildline'

/** The kinds of labels, with the parameter and the list of their objects. */
const KINDS: Record<Kind, { item?: { parameter: string; source: 'part' | 'stockItem' | 'location' } }> = {
  part: { item: { parameter: 'part', source: 'part' } },
  stock: { item: { parameter: 'item', source: 'stockItem' } },
  location: { item: { parameter: 'location', source: 'location' } },
  buildline: {},
}
const KIND_NAMES = Object.keys(KINDS) as Kind[]
/** The plugin that prints on machines. */
const PRINTER_PLUGIN = 'inventreelabelmachine'
const FORM_METADATA = { path: '/api/label/', fields: {}, filters: {}, orders: [] }

/** Prints one label of a template, with sample data or for an object, on a machine. */
export function TestPrint({ machine, onClose }: { machine: Machine; onClose: () => void }) {
  const listUrl = (kind: Kind) => withQuery(`/api/label/${kind}/`, { enabled: true, limit: 100 })
  const { data } = useRead<Record<Kind, Page<Template> | undefined>>(
    { part: listUrl('part'), stock: listUrl('stock'), location: listUrl('location'), buildline: listUrl('buildline') },
    KIND_NAMES,
  )
  const form = useForm(FORM_METADATA, { template: undefined, object: null })
  const objectId = useId()
  const warnings = useSignal<readonly string[] | undefined>(undefined)
  if (!data) return null
  const groups = KIND_NAMES.map((kind) => ({ kind, templates: data[kind]?.body.results ?? [] })).filter(
    ({ templates }) => templates.length > 0,
  )
  const first = groups[0] && `${groups[0].kind}/${groups[0].templates[0]?.pk}`
  const { template = first, object } = form.values.value as { template?: string; object: number | null }
  const [kind = 'part', pk] = (template ?? '').split('/') as [Kind?, string?]
  const { item } = KINDS[kind]
  async function send() {
    const url = withQuery(`/api/label/${kind}/${pk}/print/`, {
      plugin: PRINTER_PLUGIN,
      machine: machine.pk,
      ...(item && object !== null ? { [item.parameter]: object } : {}),
    })
    const printed = await form.submit((key) => print(url, { copies: 1 }, key))
    if (printed) warnings.value = printed.warnings
  }
  return (
    <Dialog title={t('printers.test-title', { name: machine.name })} onClose={onClose}>
      {groups.length === 0 && <p>{t('labels.no-template')}</p>}
      {groups.length > 0 && warnings.value === undefined && (
        <form {...bindSubmit(send)}>
          <div class="fields">
            <label class="field">
              {t('labels.template')}
              <select
                value={template}
                onChange={({ currentTarget }) => {
                  form.values.value = { template: currentTarget.value, object: null }
                }}
              >
                {groups.map((group) => (
                  <optgroup key={group.kind} label={t(`printers.labels.${group.kind}`)}>
                    {group.templates.map((one) => (
                      <option key={one.pk} value={`${group.kind}/${one.pk}`}>
                        {`${translateTemplateName(one.name)} · ${t(`printers.labels.${group.kind}`)}`}
                      </option>
                    ))}
                  </optgroup>
                ))}
              </select>
            </label>
            {item && (
              <div class="field">
                <label for={objectId}>{t('printers.test-object')}</label>
                <Combobox
                  key={kind}
                  source={getSource(item.source)}
                  value={object}
                  attributes={{ id: objectId }}
                  placeholder={t('printers.test-sample')}
                  onPick={(row) => {
                    form.values.value = { ...form.values.value, object: row?.pk ?? null }
                  }}
                />
              </div>
            )}
          </div>
          <FormFooter form={form}>
            <Icon name="print" />
            {t('printers.test-send')}
          </FormFooter>
        </form>
      )}
      {warnings.value && (
        <>
          <p role="status">{t('printers.test-sent')}</p>
          {warnings.value.map((text) => (
            <p key={text} class="problem" role="alert">
              {text}
            </p>
          ))}
          <div class="buttons">
            <button type="button" class="primary" onClick={onClose}>
              {t('close')}
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}

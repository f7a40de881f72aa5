import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { translateTemplateName } from '../../../kit/files/built-in-templates.ts'
import { Field, type Values } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { t } from '../../../kit/language/language.ts'
import { attempt } from '../../../kit/page/toast.tsx'
import { ApiError, get, post } from '../../../kit/service/api.ts'
import { getFileField, isLabel, type Template, type TemplateKind, toFileName, toFileValue, toSlug } from './template-kinds.ts'

/** A template that comes with the service. */
type BuiltInTemplate = { kind: string; name: string; width: number | null; height: number | null; text: string }

const METADATA = {
  path: '/api/web/template/',
  fields: {
    kind: { kind: 'text' as const },
    start: { kind: 'text' as const },
    name: { kind: 'text' as const, isRequired: true, maxLength: 100 },
    description: { kind: 'text' as const, maxLength: 250 },
  },
  filters: {},
  orders: [],
}

/** The start of a template from a file. */
const FILE = 'file'

type Properties = {
  /** The kinds that the account can create. */
  kinds: readonly TemplateKind[]
  onDone: (kind: TemplateKind, template: Template) => void
  onClose: () => void
}

/** Asks for the kind and the start of a new template: one that comes with the service, or a file. */
export function NewTemplate({ kinds, onDone, onClose }: Properties) {
  const builtInTemplates = useSignal<readonly BuiltInTemplate[]>([])
  const file = useSignal<File | undefined>(undefined)
  const id = useId()
  useEffect(() => {
    attempt(async () => {
      builtInTemplates.value = (await get<BuiltInTemplate[]>('/api/web/template/shipped/')).body
    })
  }, [])
  const findKind = ({ kind }: Values) => kinds.find((one) => toSlug(one) === kind) as TemplateKind
  const listStarts = (values: Values) => builtInTemplates.value.filter(({ kind }) => kind === findKind(values).path)
  const getStart = (values: Values) => listStarts(values).find(({ name }) => name === values.start) ?? listStarts(values)[0]

  async function send(values: Values, key: string): Promise<{ kind: TemplateKind; template: Template }> {
    const kind = findKind(values)
    const { name, description } = values as { name: string; description: string }
    const start = values.start === FILE ? undefined : getStart(values)
    const text = start?.text ?? (await file.value?.text())
    if (text === undefined) throw new ApiError(0, 'file', t('templates.file-missing'), { start: [t('templates.file-missing')] })
    const size = start && isLabel(kind) ? { width: start.width, height: start.height } : {}
    const body = {
      name,
      // a report needs one
      description: description || (isLabel(kind) ? '' : name),
      ...size,
      [getFileField(kind)]: toFileValue(text, toFileName(name)),
    }
    return { kind, template: (await post<Template>(`/api/${kind.path}/`, body, key)).body }
  }
  return (
    <FormDialog
      title={t('templates.new')}
      metadata={METADATA}
      start={{ kind: toSlug(kinds[0] as TemplateKind), start: '', name: '', description: '' }}
      names={['kind', 'start', 'name', 'description']}
      without="rest"
      customFields={(form) => ({
        kind: () => (
          <Field
            form={form}
            name="kind"
            title={t('templates.kind')}
            control={(attributes) => (
              <select
                {...attributes}
                value={String(form.values.value.kind)}
                onChange={({ currentTarget }) => {
                  form.values.value = { ...form.values.value, kind: currentTarget.value, start: '' }
                }}
              >
                {kinds.map((kind) => (
                  <option key={kind.path} value={toSlug(kind)}>
                    {t(kind.title)}
                  </option>
                ))}
              </select>
            )}
          />
        ),
        start: () => (
          <>
            <Field
              form={form}
              name="start"
              title={t('templates.start')}
              control={(attributes) => (
                <select
                  {...attributes}
                  value={form.values.value.start === FILE ? FILE : (getStart(form.values.value)?.name ?? FILE)}
                  onChange={({ currentTarget }) => {
                    form.values.value = { ...form.values.value, start: currentTarget.value }
                  }}
                >
                  {listStarts(form.values.value).map(({ name }) => (
                    <option key={name} value={name}>
                      {translateTemplateName(name)}
                    </option>
                  ))}
                  <option value={FILE}>{t('templates.from-file')}</option>
                </select>
              )}
            />
            {(form.values.value.start === FILE || !getStart(form.values.value)) && (
              <div class="field">
                <label for={`${id}-file`}>{t('templates.file')}</label>
                <input
                  id={`${id}-file`}
                  type="file"
                  accept=".html,.htm"
                  onChange={({ currentTarget }) => {
                    file.value = currentTarget.files?.[0]
                    const name = file.value?.name.replace(/\.html?$/i, '').replaceAll('_', ' ') ?? ''
                    if (!form.values.value.name) form.values.value = { ...form.values.value, name }
                  }}
                />
              </div>
            )}
          </>
        ),
      })}
      send={send}
      onDone={({ kind, template }) => onDone(kind, template)}
      onClose={onClose}
    />
  )
}

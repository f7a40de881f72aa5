import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Combobox, type Source } from '../form/combobox.tsx'
import { getSource } from '../form/reference.ts'
import { t } from '../language/language.ts'
import type { Parameters } from '../navigation/router.ts'
import { warnStale } from '../page/data.ts'
import { Menu } from '../page/menu.tsx'
import { ApiError, read } from '../service/api.ts'
import type { Column } from './column.ts'
import {
  findTemplateKey,
  formatConditions,
  formatTemplate,
  listChoices,
  type ParameterConditions,
  type ParameterTemplate,
  type ParameterValue,
  parseConditions,
  readConditions,
  toQuery,
} from './parameter-query.ts'

/** The parameters of the objects in a list. */
export type ParameterOptions = {
  /** Parameters that the list offers at once, such as those of a category. */
  suggested?: readonly ParameterTemplate[]
  /** Number of suggested parameters that have a column by default. */
  defaultColumns?: number
  /** Whether rows have no parameters of their own, as stock items, which have those of their parts: there are no columns then. */
  isFilterOnly?: boolean
}

/** The parameters of one list that are in use, and what the URL says of them. */
export type ListParameters = {
  /** Those that the list suggests, those in its URL, and those that were just selected. */
  templates: readonly ParameterTemplate[]
  /** Columns for them, unless there are none. */
  columns: readonly Column<never>[]
  hasColumns: boolean
  /** The parameter that was selected last, whose filter gets the focus. */
  added: Signal<ParameterTemplate | undefined>
}

const templateSource = getSource('parameterTemplate') as unknown as Source<ParameterTemplate>

/** Filters of the list by parameters in its URL, as the API names them. */
export const readParameterFilters = ({ names, query }: Parameters): Record<string, string | undefined> =>
  Object.fromEntries(names().flatMap((name) => (findTemplateKey(name) === undefined ? [] : [[name, query(name)]])))

/** Keys of the templates in filters, columns and the order of the URL. */
function listUsedTemplates({ names, query }: Parameters): number[] {
  const used = [...names(), ...(query('columns')?.split(',') ?? []), query('ordering') ?? ''].map(findTemplateKey)
  return [...new Set(used.flatMap((key) => key ?? []))].sort((a, b) => a - b)
}

/** Whether rows need their parameters for the columns in the URL. */
export const needsParameters = (urlParameters: Parameters): boolean => listUsedTemplates(urlParameters).length > 0

/** Reads the templates that the URL of a list names. Undefined for a list without parameters. */
export function useParameters(options: ParameterOptions | undefined, urlParameters: Parameters): ListParameters | undefined {
  const added = useSignal<ParameterTemplate | undefined>(undefined)
  const suggested = options?.suggested ?? []
  const missing = options ? listUsedTemplates(urlParameters).filter((pk) => !suggested.some((one) => one.pk === pk)) : []
  const loaded = useSignal<readonly ParameterTemplate[]>([])
  useLayoutEffect(() => {
    if (missing.length === 0) return
    const controller = new AbortController()
    // a template that was deleted since the URL was saved is left out: the list reports it
    read<Record<string, ParameterTemplate>>(
      Object.fromEntries(missing.map((pk) => [String(pk), `${templateSource.url}${pk}/`])),
      controller.signal,
      missing.map(String),
    ).then(
      (data) => {
        loaded.value = Object.values(data).map(({ body }) => body)
      },
      (error) => {
        if (error instanceof ApiError) warnStale(error)
        else if (error.name !== 'AbortError') throw error
      },
    )
    return () => controller.abort()
  }, [missing.join()])
  if (!options) return undefined
  const named = loaded.value.filter(({ pk }) => missing.includes(pk))
  const last = added.value
  const templates = [
    ...suggested,
    ...named,
    ...(last && ![...suggested, ...named].some(({ pk }) => pk === last.pk) ? [last] : []),
  ]
  const isFiltered = ({ pk }: ParameterTemplate) => Object.keys(readConditions(pk, urlParameters.query)).length > 0
  const columns = templates.map(
    (template, index): Column<{ parameters?: ParameterValue[] }> => ({
      name: `parameter_${template.pk}`,
      title: () => template.name,
      width: '7rem',
      isWide: true,
      isExtra: (index >= suggested.length || index >= (options.defaultColumns ?? 0)) && !isFiltered(template),
      cell: ({ parameters = [] }) => {
        const value = parameters.find((one) => one.template === template.pk)
        return value && formatValue({ ...value, template_detail: template })
      },
    }),
  )
  return { templates, columns: options.isFilterOnly ? [] : columns, hasColumns: !options.isFilterOnly, added }
}

/** A value with its unit: a plain number is in the units of its parameter; any other text includes its own. */
export function formatValue({ data, template_detail }: Pick<ParameterValue, 'data' | 'template_detail'>): string {
  if (template_detail?.checkbox) return /^true$/i.test(data) ? t('yes') : t('no')
  return [data, /^[+-]?[\d.,]+$/.test(data) && template_detail?.units].filter(Boolean).join(' ')
}

type FiltersProperties = {
  parameters: ListParameters
  urlParameters: Parameters
  /** The error of the list, with the errors of its filters. */
  listError: ApiError | undefined
}

/** Filters by parameters: one for each that is suggested or selected, and a field that selects further ones. */
export function ParameterFilters({ parameters: { templates, added }, urlParameters, listError }: FiltersProperties) {
  const { query, setQuery } = urlParameters
  return (
    <>
      {templates.map((template) => {
        const conditions = readConditions(template.pk, query)
        const problems = Object.keys(toQuery(template.pk, conditions)).flatMap((name) => listError?.fields[name] ?? [])
        return (
          <ParameterFilter
            key={template.pk}
            template={template}
            conditions={conditions}
            problem={problems[0]}
            isNew={added.value?.pk === template.pk}
            onChange={(changed) => {
              // stays in view when its value is removed
              added.value = template
              setQuery({ ...toQuery(template.pk, changed), at: undefined })
            }}
          />
        )
      })}
      <div class="filter rarely-used">
        <Combobox
          // empty again after each selection
          key={added.value?.pk}
          source={templateSource}
          value={undefined}
          onPick={(template) => {
            if (template) added.value = template
          }}
          placeholder={t('parameter-filter.add')}
          attributes={{ 'aria-label': t('parameter-filter.add'), class: 'parameter-choice' }}
        />
      </div>
    </>
  )
}

type FilterProperties = {
  template: ParameterTemplate
  conditions: ParameterConditions
  /** The error of the service for its value. */
  problem: string | undefined
  /** Whether it was just selected: it is shown, and has the focus. */
  isNew: boolean
  onChange: (conditions: ParameterConditions) => void
}

function ParameterFilter(properties: FilterProperties) {
  const { template, conditions, isNew, onChange } = properties
  const isSet = Object.keys(conditions).length > 0
  const className = isSet ? 'filter set' : isNew ? 'filter new' : 'filter rarely-used'
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isNew) ref.current?.querySelector<HTMLElement>('input, select, button')?.focus()
  }, [])
  const choices = listChoices(template)
  if (template.checkbox)
    return (
      <label class={className} ref={ref as never}>
        <span>{template.name}</span>
        <select
          value={conditions.is?.toLowerCase() ?? ''}
          onChange={({ currentTarget: { value } }) => onChange(value ? { is: value } : {})}
        >
          <option value="">{t('any')}</option>
          <option value="true">{t('yes')}</option>
          <option value="false">{t('no')}</option>
        </select>
      </label>
    )
  if (choices.length > 0) {
    const selected = listSelected(conditions)
    return (
      <div class={className} ref={ref as never}>
        <span>{template.name}</span>
        <Menu
          label={`${template.name}: ${selected.join(', ') || t('any')}`}
          icon="chevron"
          text={selected.join(', ') || t('any')}
          keepsText
        >
          <fieldset>
            <legend>{template.name}</legend>
            {choices.map((choice) => (
              <label key={choice} class="checkbox-line">
                <input
                  type="checkbox"
                  checked={isAmong(choice, selected)}
                  onChange={({ currentTarget: { checked } }) => {
                    const next = choices.filter((one) => (one === choice ? checked : isAmong(one, selected)))
                    onChange(next.length > 0 ? { in: next.join(',') } : {})
                  }}
                />
                {choice}
              </label>
            ))}
          </fieldset>
        </Menu>
      </div>
    )
  }
  return <ValueFilter {...properties} className={className} container={ref} />
}

/** Choices of the conditions. */
const listSelected = ({ is, in: several }: ParameterConditions): string[] => listChoices({ choices: several ?? is ?? '' })

const isAmong = (choice: string, selected: readonly string[]): boolean =>
  selected.some((one) => one.toLowerCase() === choice.toLowerCase())

/** A value, or a range of values, as people type them. */
function ValueFilter({
  template,
  conditions,
  problem,
  onChange,
  className,
  container,
}: FilterProperties & { className: string; container: { current: HTMLElement | null } }) {
  const id = useId()
  const isUnreadable = useSignal(false)
  const text = formatConditions(conditions, template, t('parameter-filter.to'))
  const error = isUnreadable.value ? t('parameter-filter.unreadable') : problem
  return (
    <label class={className} ref={container as never}>
      <span>{formatTemplate(template)}</span>
      <input
        type="text"
        value={text}
        size={Math.max(10, Math.min(24, text.length))}
        maxLength={100}
        autocomplete="off"
        spellcheck={false}
        placeholder={template.units ? t('parameter-filter.example') : t('any')}
        onChange={({ currentTarget }) => {
          const parsed = parseConditions(currentTarget.value, template)
          isUnreadable.value = parsed === undefined
          if (!parsed) return
          onChange(parsed)
          // the same conditions in other words
          currentTarget.value = formatConditions(parsed, template, t('parameter-filter.to'))
        }}
        {...(error ? { 'aria-invalid': true, 'aria-describedby': `${id}-problem` } : {})}
      />
      {error && (
        <small class="error" id={`${id}-problem`} role="alert">
          {error}
        </small>
      )}
    </label>
  )
}

/** Selects a parameter that gets a column. */
export const ParameterColumn = ({ onPick }: { onPick: (template: ParameterTemplate) => void }) => (
  <Combobox
    source={templateSource}
    value={undefined}
    onPick={(template) => template && onPick(template)}
    placeholder={t('parameter-filter.add-column')}
    attributes={{ 'aria-label': t('parameter-filter.add-column') }}
  />
)

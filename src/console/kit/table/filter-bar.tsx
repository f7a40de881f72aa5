import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Combobox } from '../form/combobox.tsx'
import { findFilterSource } from '../form/reference.ts'
import { choiceLabel, label, t } from '../language/language.ts'
import type { Parameters } from '../navigation/router.ts'
import { Icon } from '../page/icon.tsx'
import { Menu } from '../page/menu.tsx'
import type { ApiError } from '../service/api.ts'
import type { FieldMetadata, ResourceMetadata } from '../service/field-metadata.ts'
import { type ListParameters, ParameterColumn, ParameterFilters, readParameterFilters } from './parameter-filters.tsx'

/** Debounce of the search after the last letter, in milliseconds. */
const SEARCH_DELAY_MS = 200

/** Values of filters with their texts, by filter. */
export type FilterChoices = Record<string, readonly (readonly [value: string, text: string])[]>

type FilterBarProperties = {
  metadata: ResourceMetadata
  filters: readonly string[]
  /** The list's parameters in the URL. */
  urlParameters: Parameters
  /** Values with their texts to select from, by filter, where the API lists none. */
  choices?: FilterChoices
  /** Rarely used filters: they are shown when they are set, or on request. */
  rare?: readonly string[]
  /** The parameters of its objects, if it can be filtered by them. */
  parameters?: ListParameters | undefined
  /** The error of the list. */
  listError?: ApiError | undefined
  children?: ComponentChildren
}

/** The search and the filters of a list. Their values are in the URL. */
export function FilterBar(properties: FilterBarProperties) {
  const { metadata, filters, rare = [], choices = {}, urlParameters, parameters, listError, children } = properties
  const { query, setQuery } = urlParameters
  const isOpen = useSignal(false)
  const names = [...filters, ...(parameters ? Object.keys(readParameterFilters(urlParameters)) : [])]
  const isFiltered = names.some((name) => query(name) !== undefined)
  return (
    <div class={isOpen.value ? 'filter-bar open' : 'filter-bar'}>
      <Search urlParameters={urlParameters} />
      {filters.map((name) => (
        <Filter
          key={name}
          name={name}
          resource={metadata}
          isRare={rare.includes(name)}
          given={choices[name]}
          urlParameters={urlParameters}
        />
      ))}
      {parameters && <ParameterFilters parameters={parameters} urlParameters={urlParameters} listError={listError} />}
      {filters.length > 0 && (
        <button
          type="button"
          class={rare.length > 0 || parameters ? 'quiet' : 'quiet narrow-only'}
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          <Icon name="settings" />
          {isOpen.value ? t('fewer-filters') : t('more-filters')}
        </button>
      )}
      {isFiltered && (
        <button
          type="button"
          class="quiet"
          onClick={() => setQuery({ at: undefined, ...Object.fromEntries(names.map((name) => [name, undefined])) })}
        >
          {t('clear-filters')}
        </button>
      )}
      <div class="filter-end">{children}</div>
    </div>
  )
}

function Search({ urlParameters: { query, setQuery } }: { urlParameters: Parameters }) {
  const ref = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const searchText = query('search') ?? ''
  useEffect(() => {
    if (ref.current && document.activeElement !== ref.current) ref.current.value = searchText
  }, [searchText])
  // discards a pending search when the page is left
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = () => {
    clearTimeout(timer.current)
    // a component that was removed before its effects ran cannot clear its timer
    if (ref.current) setQuery({ search: ref.current.value, at: undefined }, { replace: true })
  }
  return (
    <label class="search">
      <span class="visually-hidden">{t('search')}</span>
      <Icon name="search" />
      <input
        ref={ref}
        type="search"
        data-search
        placeholder={t('search')}
        defaultValue={searchText}
        onInput={() => {
          clearTimeout(timer.current)
          timer.current = setTimeout(search, SEARCH_DELAY_MS)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search()
          if (/^(Enter|Escape|ArrowDown)$/.test(event.key)) {
            event.preventDefault()
            ref.current?.blur()
          }
        }}
      />
    </label>
  )
}

type FilterProperties = {
  name: string
  resource: ResourceMetadata
  isRare: boolean
  given: FilterChoices[string] | undefined
  urlParameters: Parameters
}

function Filter({ name, resource, isRare, given, urlParameters }: FilterProperties) {
  const { query, setQuery } = urlParameters
  const metadata: FieldMetadata = resource.filters[name] ?? { kind: 'text' }
  const source = findFilterSource(resource.path, name)
  const value = query(name) ?? ''
  const set = (newValue: string) => setQuery({ [name]: newValue, at: undefined })
  const choices: FilterChoices[string] =
    given ??
    (metadata.kind === 'boolean'
      ? [
          ['true', t('yes')],
          ['false', t('no')],
        ]
      : (metadata.choices ?? resource.fields[name]?.choices ?? []).map((choice) => [
          String(choice),
          choiceLabel(resource.path, name, choice),
        ]))
  return (
    <label class={value !== '' ? 'filter set' : isRare ? 'filter rarely-used' : 'filter'}>
      <span>{label(name)}</span>
      {source ? (
        <Combobox
          source={source}
          value={value}
          onPick={(row) => set(row ? String(row.pk) : '')}
          placeholder={t('any')}
          attributes={{ size: 14 }}
        />
      ) : choices.length > 0 ? (
        <select value={value} onChange={(event) => set(event.currentTarget.value)}>
          <option value="">{t('any')}</option>
          {choices.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...({ type: metadata.kind === 'date' ? 'date' : 'text' } as object)}
          value={value}
          size={10}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )}
    </label>
  )
}

type ColumnChoiceProperties = {
  columns: readonly { name: string; title?: () => string }[]
  visibleNames: readonly string[]
  urlParameters: Parameters
  /** Whether parameters can have columns. */
  hasParameters?: boolean
}

/** Selects the shown columns. The selection is in the URL. */
export function ColumnChoice({ columns, visibleNames, urlParameters, hasParameters }: ColumnChoiceProperties) {
  const toggleColumn = (name: string, isSelected: boolean) => {
    const selectedNames = columns
      .map((column) => column.name)
      .filter((columnName) => (columnName === name ? isSelected : visibleNames.includes(columnName)))
    if (selectedNames.length > 0) urlParameters.setQuery({ columns: selectedNames.join(',') }, { replace: true })
  }
  return (
    <Menu label={t('columns')} icon="columns">
      <fieldset>
        <legend>{t('columns')}</legend>
        {columns.map(({ name, title = () => label(name) }) => (
          <label key={name} class="checkbox-line">
            <input
              type="checkbox"
              checked={visibleNames.includes(name)}
              onChange={(event) => toggleColumn(name, event.currentTarget.checked)}
            />
            {title()}
          </label>
        ))}
        {hasParameters && (
          <ParameterColumn
            key={visibleNames.join()}
            onPick={({ pk }) =>
              urlParameters.setQuery({ columns: [...new Set([...visibleNames, `parameter_${pk}`])].join(',') }, { replace: true })
            }
          />
        )}
      </fieldset>
    </Menu>
  )
}

import type { ComponentChildren } from 'preact'
import { t } from '../../kit/language/language.ts'
import { Badge, Panel } from '../../kit/page/page.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { change } from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { getFieldHelp, getFieldLabel } from './import-field-label.ts'
import { IMPORT_TYPES } from './import-types.ts'
import { listOpenFields, type Mapping, type Session } from './session-details.ts'

/** Values of the file that are shown of each column. */
const MAX_EXAMPLES = 3

type Properties = {
  session: Session
  /** Required fields that have no column. */
  missing: readonly string[]
  isBusy: boolean
  onChange: () => void
  footer: ComponentChildren
}

/** The columns of the file with their values, and the field of each. */
export function ImportColumns({ session, missing, isBusy, onChange, footer }: Properties) {
  const { columns, column_mappings, available_fields, sample_rows, field_overrides } = session
  const save = async (changes: readonly (readonly [mapping: Mapping, body: Partial<Mapping>])[]) => {
    await attempt(async () => {
      for (const [{ pk }, body] of changes) await change(`/api/importer/column-mapping/${pk}/`, body, undefined)
    })
    onChange()
  }
  /** Gives a column to a field; the field that had it loses it first. */
  const assign = (column: string, field: string) => {
    const current = column_mappings.find((mapping) => mapping.column === column)
    const next = column_mappings.find((mapping) => mapping.field === field)
    return save([...(current ? [[current, { column: '' }] as const] : []), ...(next ? [[next, { column }] as const] : [])])
  }
  const names = column_mappings
    .map(({ field }) => field)
    .toSorted((one, other) => getFieldLabel(one).localeCompare(getFieldLabel(other)))
  return (
    <Panel title={t('import.columns-title')}>
      {missing.length > 0 && (
        <p class="problem" role="alert">
          {t('import.missing-columns', { fields: missing.map(getFieldLabel).join(', ') })}
        </p>
      )}
      <div class="short-table import">
        <table aria-label={t('import.columns-title')}>
          <thead>
            <tr>
              <th scope="col">{t('import.column')}</th>
              <th scope="col">{t('import.examples')}</th>
              <th scope="col">{t('import.field')}</th>
              <th scope="col">{t('import.meaning')}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column, index) => {
              const mapping = column_mappings.find((entry) => entry.column === column)
              const field = mapping && available_fields[mapping.field]
              const examples = (sample_rows ?? []).flatMap((row) => row[index] || []).slice(0, MAX_EXAMPLES)
              return (
                <tr key={column}>
                  <th scope="row">{column}</th>
                  <td class="import-examples">{[...new Set(examples)].join(' · ')}</td>
                  <td>
                    <select
                      aria-label={t('import.field-of', { column })}
                      value={mapping?.field ?? ''}
                      disabled={isBusy}
                      onChange={(event) => assign(column, event.currentTarget.value)}
                    >
                      <option value="">{t('import.not-imported')}</option>
                      {names.map((name) => (
                        <option key={name} value={name}>
                          {getFieldLabel(name)}
                          {available_fields[name]?.required ? ' *' : ''}
                        </option>
                      ))}
                    </select>
                  </td>
                  <td>
                    {field && <small>{getFieldHelp(field)}</small>}
                    {mapping && field?.lookup_fields && (
                      <ReferenceChoices
                        session={session}
                        mapping={mapping}
                        isBusy={isBusy}
                        onSave={(body) => save([[mapping, body]])}
                      />
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {listOpenFields(session).map((name) => (
        <ValueForAll key={name} session={session} name={name} isBusy={isBusy} onChange={onChange} />
      ))}
      {field_overrides && Object.keys(field_overrides).length > 0 && (
        <p class="quiet-text">{t('import.fixed', { fields: Object.keys(field_overrides).map(getFieldLabel).join(', ') })}</p>
      )}
      {footer}
    </Panel>
  )
}

type ValueProperties = { session: Session; name: string; isBusy: boolean; onChange: () => void }

/** A value that all rows get in a required field that has no column, such as the category of all parts. */
function ValueForAll({ session, name, isBusy, onChange }: ValueProperties) {
  const { pk, available_fields, field_defaults } = session
  const field = available_fields[name]
  const value = String(field_defaults?.[name] ?? '')
  const save = async (typed: string) => {
    const body = { field_defaults: { ...field_defaults, [name]: typed.trim() || null } }
    await attempt(() => change(`/api/importer/session/${pk}/`, body, undefined))
    onChange()
  }
  const attributes = {
    disabled: isBusy,
    onChange: (event: { currentTarget: { value: string } }) => void save(event.currentTarget.value),
  }
  // the key of an object is always in a column
  if (name === 'id') return null
  return (
    <label class="field import-value">
      {t('import.value-for-all', { field: getFieldLabel(name) })}
      {field?.choices ? (
        <select value={value} {...attributes}>
          <option value="">–</option>
          {field.choices.map((choice) => (
            <option key={choice.value} value={String(choice.value)}>
              {choice.display_name}
            </option>
          ))}
        </select>
      ) : (
        <input type="text" defaultValue={value} {...attributes} />
      )}
      {field && <small>{getFieldHelp(field)}</small>}
    </label>
  )
}

type ReferenceProperties = { session: Session; mapping: Mapping; isBusy: boolean; onSave: (body: Partial<Mapping>) => void }

/** How the values of a column find the objects that they name, and whether missing ones are created. */
function ReferenceChoices({ session, mapping, isBusy, onSave }: ReferenceProperties) {
  const { lookup_fields = [], can_create, model = '' } = session.available_fields[mapping.field] ?? {}
  const roles = IMPORT_TYPES[model]?.roles
  const mayCreate = can_create && roles !== undefined && hasPermission('add', ...roles)
  return (
    <div class="reference-choices">
      <label>
        {t('import.found-by')}{' '}
        <select
          value={mapping.lookup_field ?? ''}
          disabled={isBusy}
          onChange={(event) => onSave({ lookup_field: event.currentTarget.value || null })}
        >
          <option value="">{t('import.any-name')}</option>
          {lookup_fields.map((name) => (
            <option key={name} value={name}>
              {name === 'pk' ? t('import.key') : name === 'pathstring' ? t('import.path') : getFieldLabel(name)}
            </option>
          ))}
        </select>
      </label>
      {mayCreate && (
        <label class="checkbox-line">
          <input
            type="checkbox"
            checked={mapping.create_missing}
            disabled={isBusy}
            onChange={(event) => onSave({ create_missing: event.currentTarget.checked })}
          />
          {t('import.create-missing')}
        </label>
      )}
      {!mayCreate && mapping.create_missing && <Badge>{t('import.create-missing')}</Badge>}
    </div>
  )
}

import metadata from 'metadata:/api/stock/location-type/'
import { Field, type Form } from '../../../kit/form/form.tsx'
import type { EditorProperties, GridColumn } from '../../../kit/grid/grid.tsx'
import { count, type Key, label, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import type { Page } from '../../../kit/service/api.ts'
import { hasPermission } from '../../../kit/service/session.ts'
import { findLocationIcon, LOCATION_ICONS, LocationIcon } from '../../locations/location-icon.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { getSearchedUrl, SearchedRows } from './searched-rows.tsx'

type LocationType = { pk: number; etag?: string; name: string; description: string; icon: string; location_count: number }

/** `/settings/location-types/`: the types of locations, such as shelf and box, with their icons. */
export function LocationTypesPage() {
  return (
    <SettingsPage title={t('settings.location-types')} rejection={t('location-types.rejection')}>
      {hasPermission('view', 'stock_location') && <LocationTypeList />}
    </SettingsPage>
  )
}

function LocationTypeList() {
  const { data, error, reload } = useRead<{ types: Page<LocationType> }>({
    types: getSearchedUrl(metadata.path, { ordering: 'name' }),
  })
  if (error) return <LoadError error={error} />
  if (!data) return null
  return (
    <SearchedRows<LocationType>
      title={t('settings.location-types')}
      metadata={metadata}
      page={data.types.body}
      columns={COLUMNS}
      rights={{
        add: hasPermission('add', 'stock_location'),
        change: hasPermission('change', 'stock_location'),
        delete: hasPermission('delete', 'stock_location'),
      }}
      getName={({ name }) => name}
      getLossWarning={({ location_count }) => (location_count > 0 ? count('location-types.lost', location_count) : undefined)}
      emptyText={t('location-types.none')}
      addForm={{
        title: t('location-types.new'),
        keys: 'n',
        start: { name: '', description: '', icon: '' },
        names: ['name', 'description', 'icon'],
        without: 'rest',
        customFields: (form) => ({ icon: () => <IconField form={form} /> }),
      }}
      onChanged={reload}
    />
  )
}

const COLUMNS: readonly GridColumn<LocationType>[] = [
  {
    name: 'icon',
    title: () => t('location-types.icon'),
    width: '11rem',
    cell: ({ icon }) => (
      <span class="location-icon">
        <LocationIcon icon={icon} />
        {getIconName(icon)}
      </span>
    ),
    edit: (properties) => <IconEditor {...properties} />,
  },
  { name: 'name', cell: ({ name }) => name, edit: true },
  { name: 'description', isWide: true, cell: ({ description }) => description, edit: true },
  {
    name: 'location_count',
    title: () => t('settings.used-in'),
    width: '9rem',
    cell: ({ pk, location_count }) =>
      location_count > 0 ? (
        <a href={`/stock/location/?view=table&location_type=${pk}`}>{count('location-types.locations', location_count)}</a>
      ) : (
        <span class="quiet-text">{t('settings.unused')}</span>
      ),
  },
]

/** The name of an icon; as it is stored, if it has no drawing here. */
function getIconName(icon: string): string {
  const drawing = findLocationIcon(icon)
  return drawing ? t(`location-icon.${drawing}` as Extract<Key, 'location-icon.box'>) : icon
}

/** The icons to select from, and the current one, if it was selected in another client. */
function IconOptions({ current }: { current: string }) {
  const isOther = current !== '' && !LOCATION_ICONS.includes(current)
  return (
    <>
      <option value="">{t('location-icon.none')}</option>
      {isOther && <option value={current}>{getIconName(current)}</option>}
      {LOCATION_ICONS.map((icon) => (
        <option key={icon} value={icon}>
          {getIconName(icon)}
        </option>
      ))}
    </>
  )
}

const IconField = ({ form }: { form: Form }) => {
  const icon = String(form.values.value.icon ?? '')
  return (
    <Field
      form={form}
      name="icon"
      title={t('location-types.icon')}
      control={(attributes) => (
        <span class="location-icon">
          <LocationIcon icon={icon} />
          <select
            {...attributes}
            value={icon}
            onChange={({ currentTarget }) => {
              form.values.value = { ...form.values.value, icon: currentTarget.value }
            }}
          >
            <IconOptions current={icon} />
          </select>
        </span>
      )}
    />
  )
}

/** Selects the icon of a row. */
const IconEditor = ({ row, save, cancel }: EditorProperties<LocationType>) => (
  <select
    aria-label={label('icon')}
    value={row.icon}
    onChange={({ currentTarget }) => save({ icon: currentTarget.value })}
    onBlur={cancel}
  >
    <IconOptions current={row.icon} />
  </select>
)

import metadata from 'metadata:/api/units/'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Field, type Form } from '../../../kit/form/form.tsx'
import type { GridColumn } from '../../../kit/grid/grid.tsx'
import { formatNumber, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { ApiError, type Page, postQuery } from '../../../kit/service/api.ts'
import { multiply } from '../../../kit/values/exact.ts'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff } from '../settings-pages.ts'
import { getSearchedUrl, SearchedRows } from './searched-rows.tsx'

const CONVERSIONS_PATH = '/api/web/unit-conversions/'
/** Milliseconds without a key until a unit is checked. */
const CHECK_DELAY_MS = 250
/** Decimals of an example. */
const EXAMPLE_DECIMALS = 10

type Unit = { pk: number; etag?: string; name: string; symbol: string; definition: string }
type Size = { amount: string | null; base_unit: string }

/** `/settings/units/`: units of measure of this installation, such as a spool of 100 m. */
export function UnitsPage() {
  return (
    <SettingsPage title={t('settings.units')} rejection={t('settings.for-staff')}>
      {isStaff() && <UnitList />}
    </SettingsPage>
  )
}

/** One unit in base units, such as `1 spool = 100 m`. */
const formatSize = (quantity: string, name: string, { amount, base_unit }: Size): string =>
  amount === null
    ? t('units.unreadable')
    : `${formatNumber(quantity)} ${name} = ${formatNumber(multiply(quantity, amount), EXAMPLE_DECIMALS)} ${base_unit}`.trim()

function UnitList() {
  const { data, error, reload } = useRead<{ units: Page<Unit>; sizes: (Size & { name: string })[] }>({
    units: getSearchedUrl(metadata.path, { ordering: 'name' }),
    sizes: CONVERSIONS_PATH,
  })
  if (error) return <LoadError error={error} />
  if (!data) return null
  const sizes = new Map(data.sizes.body.map((size) => [size.name, size]))
  const columns: GridColumn<Unit>[] = [
    { name: 'name', cell: ({ name }) => name, edit: true },
    { name: 'symbol', title: () => t('units.symbol'), width: '7rem', cell: ({ symbol }) => symbol, edit: true },
    { name: 'definition', title: () => t('units.definition'), cell: ({ definition }) => definition, edit: true },
    {
      name: 'size',
      title: () => t('units.conversion'),
      isWide: true,
      cell: ({ name }) => {
        const size = sizes.get(name)
        return size && <span class="quiet-text">{formatSize('1', name, size)}</span>
      },
    },
  ]
  return (
    <SearchedRows<Unit>
      title={t('settings.units')}
      metadata={metadata}
      page={data.units.body}
      columns={columns}
      rights={{ add: true, change: true, delete: true }}
      getName={({ name }) => name}
      getLossWarning={() => t('units.delete.about')}
      emptyText={t('units.none')}
      addForm={{
        title: t('units.new'),
        keys: 'n',
        start: { name: '', symbol: '', definition: '' },
        names: ['name', 'symbol', 'definition'],
        without: 'rest',
        customFields: (form) => ({
          symbol: () => <Field form={form} name="symbol" title={t('units.symbol')} />,
          definition: () => (
            <>
              <Field form={form} name="definition" title={t('units.definition')} />
              <UnitPreview form={form} />
            </>
          ),
        }),
      }}
      onChanged={reload}
    />
  )
}

/** The size of the unit in a form, or what is wrong with its definition, as soon as no key is pressed for a moment. */
function UnitPreview({ form }: { form: Form }) {
  const { name, definition } = form.values.value as Record<'name' | 'definition', string>
  const size = useSignal<Size | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  useEffect(() => {
    size.value = undefined
    problem.value = undefined
    if (!name.trim() || !definition.trim()) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      try {
        size.value = (await postQuery<Size>(CONVERSIONS_PATH, { name, definition }, controller.signal)).body
      } catch (error) {
        if (error instanceof ApiError) problem.value = error.text
        else if ((error as Error).name !== 'AbortError') throw error
      }
    }, CHECK_DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [name, definition])
  return (
    <p class={problem.value ? 'error' : 'quiet-text'} role="status">
      {problem.value ??
        (size.value && ['1', '2.5'].map((quantity) => formatSize(quantity, name, size.value as Size)).join(' · '))}
    </p>
  )
}

import metadata from 'metadata:/api/company/'
import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { useBulkEdit } from '../../kit/grid/bulk-edit.tsx'
import { formatNumber, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Empty, Page } from '../../kit/page/page.tsx'
import { hasPermission } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { EditCell } from '../../kit/table/edit-cell.tsx'
import { Table } from '../../kit/table/table.tsx'
import type { Rows } from '../../kit/table/table-rows.ts'
import { ImportMenu } from '../import/import-menu.tsx'
import { type Company, Roles } from './company-details.tsx'
import { NewCompany } from './new-company.tsx'

const ROLES = ['purchase_order', 'sales_order', 'return_order']

/** The fields that can be changed for several companies at once. */
const BULK_FIELDS = ['currency', 'is_supplier', 'is_customer', 'is_manufacturer', 'active', 'description', 'website', 'link']

/** @param reload reloads the rows */
const createColumns = (reload: () => void): readonly Column<Company>[] => [
  { name: 'name', width: '18rem', cell: ({ pk, name }) => <a href={`/company/${pk}/`}>{name}</a> },
  {
    name: 'description',
    order: null,
    isWide: true,
    cell: (company) =>
      hasPermission('change', ...ROLES) ? (
        <EditCell metadata={metadata} name="description" row={company} onSaved={reload}>
          {company.description}
        </EditCell>
      ) : (
        company.description
      ),
  },
  {
    name: 'roles',
    title: () => t('companies.roles'),
    order: null,
    width: '16rem',
    cell: (company) => <Roles company={company} />,
  },
  { name: 'currency', order: null, width: '6rem', isWide: true, cell: ({ currency }) => currency },
  {
    name: 'parts_supplied',
    width: '9rem',
    align: 'end',
    isWide: true,
    cell: (company) => formatNumber(company.parts_supplied),
  },
  {
    name: 'parts_manufactured',
    width: '10rem',
    align: 'end',
    isExtra: true,
    cell: (company) => formatNumber(company.parts_manufactured),
  },
  { name: 'email', order: null, width: '14rem', isExtra: true, cell: ({ email }) => email },
  { name: 'phone', order: null, width: '11rem', isExtra: true, cell: ({ phone }) => phone },
]

/** `/company/`: all companies. */
export function CompaniesPage() {
  const isCreating = useSignal(false)
  const rows = useRef<Rows<Company>>(undefined)
  const columns = useMemo(() => createColumns(() => rows.current?.reload()), [])
  const canAdd = hasPermission('add', ...ROLES)
  const bulkEdit = useBulkEdit<Company>({
    metadata,
    fields: BULK_FIELDS,
    getName: ({ name }) => name,
    isAllowed: hasPermission('change', ...ROLES),
  })
  const openForm = () => {
    isCreating.value = true
  }
  useCommands(() => (canAdd ? [{ keys: 'n', label: () => t('companies.new'), run: openForm }] : []), [canAdd])
  const button = canAdd && (
    <button type="button" class="primary" onClick={openForm}>
      <Icon name="plus" />
      {t('companies.new')}
    </button>
  )
  const actions = (
    <>
      {button}
      <ImportMenu types={['company', 'supplierpart', 'supplierpricebreak', 'manufacturerpart', 'contact', 'address']} />
    </>
  )
  return (
    <Page title={t('companies.title')} actions={actions} isFull>
      <Table
        metadata={metadata}
        columns={columns}
        fixed={{ etag: 'true' }}
        onRows={(newRows) => {
          rows.current = newRows
        }}
        filters={['is_supplier', 'is_manufacturer', 'is_customer', 'active', 'imported']}
        rareFilters={['imported']}
        to={({ pk }) => `/company/${pk}/`}
        actions={bulkEdit.actions}
        title={t('companies.title')}
        empty={
          <Empty icon="building" title={t('companies.none')}>
            {button}
          </Empty>
        }
      />
      {bulkEdit.dialog}
      {isCreating.value && (
        <NewCompany
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
    </Page>
  )
}

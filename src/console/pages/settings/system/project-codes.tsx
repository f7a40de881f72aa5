import metadata from 'metadata:/api/project-code/'
import { Combobox } from '../../../kit/form/combobox.tsx'
import { getSource } from '../../../kit/form/reference.ts'
import type { GridColumn } from '../../../kit/grid/grid.tsx'
import { count, label, type PluralKey, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import type { Page } from '../../../kit/service/api.ts'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff } from '../settings-pages.ts'
import { getSearchedUrl, SearchedRows } from './searched-rows.tsx'

type ProjectCode = {
  pk: number
  etag?: string
  code: string
  description: string
  responsible: number | null
  responsible_detail: { name: string } | null
}

/** The types of orders, with the page of their list, and the text for a number of them. */
const ORDERS = {
  purchaseorder: { page: '/order/purchase-order/', text: 'project-codes.purchase' },
  salesorder: { page: '/order/sales-order/', text: 'project-codes.sales' },
  returnorder: { page: '/order/return-order/', text: 'project-codes.return' },
  transferorder: { page: '/order/transfer-order/', text: 'project-codes.transfer' },
  build: { page: '/build/', text: 'project-codes.build' },
} as const satisfies Record<string, { page: string; text: PluralKey }>

type Use = { project_code: number; model: keyof typeof ORDERS; count: number }

/** `/settings/project-codes/`: the projects that orders are assigned to. */
export function ProjectCodesPage() {
  return (
    <SettingsPage title={t('settings.project-codes')} rejection={t('settings.for-staff')}>
      {isStaff() && <ProjectCodeList />}
    </SettingsPage>
  )
}

function ProjectCodeList() {
  const { data, error, reload } = useRead<{ codes: Page<ProjectCode>; uses: Use[] }>({
    codes: getSearchedUrl(metadata.path, { ordering: 'code' }),
    uses: '/api/web/project-code-uses/',
  })
  if (error) return <LoadError error={error} />
  if (!data) return null
  const uses = Map.groupBy(data.uses.body, ({ project_code }) => project_code)
  const columns: GridColumn<ProjectCode>[] = [
    { name: 'code', title: () => label('project_code'), width: '9rem', cell: ({ code }) => code, edit: true },
    { name: 'description', cell: ({ description }) => description, edit: true },
    {
      name: 'responsible',
      isWide: true,
      cell: ({ responsible_detail }) => responsible_detail?.name,
      edit: ({ row, save }) => (
        <Combobox
          source={getSource('owner')}
          value={row.responsible}
          onPick={(owner) => save({ responsible: owner?.pk ?? null })}
          attributes={{ 'aria-label': label('responsible') }}
        />
      ),
    },
    {
      name: 'uses',
      title: () => t('settings.used-in'),
      cell: ({ pk }) => (
        <span class="settings-uses">
          {uses.get(pk)?.map(({ model, count: orders }) => (
            <a key={model} href={`${ORDERS[model].page}?project_code=${pk}`}>
              {count(ORDERS[model].text, orders)}
            </a>
          )) ?? <span class="quiet-text">{t('settings.unused')}</span>}
        </span>
      ),
    },
  ]
  const countOrders = (pk: number) => (uses.get(pk) ?? []).reduce((total, use) => total + use.count, 0)
  return (
    <SearchedRows<ProjectCode>
      title={t('settings.project-codes')}
      metadata={metadata}
      page={data.codes.body}
      columns={columns}
      rights={{ add: true, change: true, delete: true }}
      getName={({ code }) => code}
      getLossWarning={({ pk }) => (countOrders(pk) > 0 ? count('project-codes.lost', countOrders(pk)) : undefined)}
      emptyText={t('project-codes.none')}
      addForm={{
        title: t('project-codes.new'),
        keys: 'n',
        start: { code: '', description: '', responsible: null },
        names: ['code', 'description', 'responsible'],
        without: 'rest',
      }}
      onChanged={reload}
    />
  )
}

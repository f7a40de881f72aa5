import metadata from 'metadata:/api/part/parameter/template/'
import { useId } from 'preact/hooks'
import { Combobox } from '../../../kit/form/combobox.tsx'
import { getSource } from '../../../kit/form/reference.ts'
import type { GridColumn } from '../../../kit/grid/grid.tsx'
import { count, formatNumber, t } from '../../../kit/language/language.ts'
import { readQuery, setQuery } from '../../../kit/navigation/router.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Panel } from '../../../kit/page/page.tsx'
import type { Page } from '../../../kit/service/api.ts'
import { hasPermission } from '../../../kit/service/session.ts'
import { CategoryParameterRows } from '../../parts/category/category-parameters.tsx'
import { createTemplateForm } from '../../parts/parameters.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { getSearchedUrl, SearchedRows } from './searched-rows.tsx'

type Template = {
  pk: number
  etag?: string
  name: string
  units: string
  description: string
  checkbox: boolean
  enabled: boolean
  choices: string
  parts: number
}

/** `/settings/parameters/`: the parameters that parts can have, and those that new parts of a category get. */
export function ParameterTemplatesPage() {
  return (
    <SettingsPage title={t('settings.parameters')} rejection={t('parameters.rejection')}>
      {hasPermission('view', 'part') && (
        <>
          <TemplateList />
          <CategoryPanel />
        </>
      )}
    </SettingsPage>
  )
}

const getRights = () => ({
  add: hasPermission('add', 'part'),
  change: hasPermission('change', 'part'),
  delete: hasPermission('delete', 'part'),
})

const COLUMNS: readonly GridColumn<Template>[] = [
  { name: 'name', cell: ({ name }) => name, edit: true },
  { name: 'units', width: '7rem', cell: ({ units }) => units, edit: true },
  { name: 'choices', isWide: true, cell: ({ choices }) => choices, edit: true },
  { name: 'checkbox', width: '7rem', isDesk: true, cell: ({ checkbox }) => (checkbox ? t('yes') : ''), edit: true },
  { name: 'enabled', width: '7rem', isDesk: true, cell: ({ enabled }) => (enabled ? t('yes') : ''), edit: true },
  { name: 'description', isDesk: true, cell: ({ description }) => description, edit: true },
  {
    name: 'parts',
    title: () => t('parameters.parts'),
    width: '6rem',
    align: 'end',
    cell: ({ parts }) => formatNumber(parts),
  },
]

function TemplateList() {
  const { data, error, reload } = useRead<{ templates: Page<Template> }>({
    templates: getSearchedUrl(metadata.path, { ordering: 'name' }),
  })
  if (error) return <LoadError error={error} />
  if (!data) return null
  return (
    <SearchedRows<Template>
      title={t('parameters.templates')}
      metadata={metadata}
      page={data.templates.body}
      columns={COLUMNS}
      rights={getRights()}
      getName={({ name }) => name}
      getLossWarning={({ parts }) => (parts > 0 ? count('parameters.lost', parts) : t('parameters.lost-categories'))}
      emptyText={t('parameters.none')}
      addForm={{ ...createTemplateForm(), keys: 'n' }}
      onChanged={reload}
    />
  )
}

/** The default parameters of one category, which the URL names. */
function CategoryPanel() {
  const id = useId()
  const category = Number(readQuery('category')) || null
  return (
    <Panel title={t('parameters.of-category')} class="spaced">
      <div class="field">
        <label for={id}>{t('parameters.category')}</label>
        <Combobox
          source={getSource('category')}
          value={category}
          onPick={(picked) => setQuery({ category: picked && String(picked.pk) })}
          attributes={{ id }}
        />
      </div>
      {category === null ? (
        <p class="quiet-text">{t('parameters.of-category.about')}</p>
      ) : (
        <CategoryParameterRows key={category} category={category} rights={getRights()} />
      )}
    </Panel>
  )
}

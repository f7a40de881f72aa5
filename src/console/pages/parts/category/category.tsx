import metadata from 'metadata:/api/part/category/'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { Edit } from '../../../kit/form/edit.tsx'
import { t } from '../../../kit/language/language.ts'
import { useCommands } from '../../../kit/navigation/keys.ts'
import { navigate } from '../../../kit/navigation/router.ts'
import { useRead } from '../../../kit/page/data.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Menu } from '../../../kit/page/menu.tsx'
import { Badge, Empty, Page, type PageProperties } from '../../../kit/page/page.tsx'
import { attempt } from '../../../kit/page/toast.tsx'
import { change, type Page as ListPage, withQuery } from '../../../kit/service/api.ts'
import { remove } from '../../../kit/service/saves.ts'
import { hasPermission } from '../../../kit/service/session.ts'
import type { ParameterTemplate } from '../../../kit/table/parameter-query.ts'
import { Dialog } from '../../../kit/window/dialog.tsx'
import { ImportLink } from '../../import/import-menu.tsx'
import { getFirstPartsUrl, type PartRow, PartTable, useNewPart } from '../parts.tsx'
import { CategoryLinks, type CategoryRow, getCategoriesUrl, MAX_CATEGORIES } from './category-links.tsx'
import { CategoryParameters } from './category-parameters.tsx'
import { FIELDS, NewCategory } from './new-category.tsx'

type Category = CategoryRow & {
  description: string
  structural: boolean
  starred: boolean
  path?: { pk: number; name: string }[]
}

type OpenDialog = 'edit' | 'category' | 'parameters' | 'delete'

/** `/part/category/:pk/`: a category, its child categories, and its parts. */
export function CategoryPage({ params }: PageProperties) {
  const url = `/api/part/category/${params.pk}/`
  // the URL as the page was opened: the table itself loads later changes
  const firstUrl = useMemo(() => getFirstPartsUrl(Number(params.pk)), [params.pk])
  const { data, error, reload } = useRead<{
    category: Category
    below: ListPage<CategoryRow>
    templates: ListPage<ParameterTemplate>
    parts: ListPage<PartRow>
  }>({
    category: withQuery(url, { path_detail: true }),
    parts: firstUrl,
    below: getCategoriesUrl(params.pk),
    templates: withQuery('/api/part/parameter/template/', { category: params.pk, ordering: 'name', limit: MAX_CATEGORIES }),
  })
  const openDialog = useSignal<OpenDialog | undefined>(undefined)
  const { button, dialog } = useNewPart(Number(params.pk))
  const canChange = hasPermission('change', 'part_category')
  const canAdd = hasPermission('add', 'part_category')
  const canDelete = hasPermission('delete', 'part_category')
  const show = (next: OpenDialog | undefined) => () => {
    openDialog.value = next
  }
  const close = show(undefined)
  useCommands(
    () => [
      ...(canChange ? [{ keys: 'e', label: () => t('edit'), run: show('edit') }] : []),
      ...(canAdd ? [{ keys: 'c', label: () => t('parts.new-category'), run: show('category') }] : []),
      { keys: 'y', label: () => t('parts.category-parameters'), run: show('parameters') },
      ...(canDelete ? [{ label: () => t('delete'), run: show('delete') }] : []),
    ],
    [canChange, canAdd, canDelete],
  )
  const crumbs = [
    { text: t('parts.title'), to: '/part/' },
    ...(data?.category.body.path ?? [])
      .filter(({ pk }) => pk !== Number(params.pk))
      .map(({ pk, name }) => ({ text: name, to: `/part/category/${pk}/` })),
  ]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data) return null
  const category = data.category.body
  const toggleSubscription = async () => {
    await attempt(() => change(url, { starred: !category.starred }, undefined))
    reload()
  }
  return (
    <Page
      title={category.name}
      crumbs={crumbs}
      state={category.structural && <Badge>{t('parts.structural')}</Badge>}
      actions={
        <>
          {!category.structural && button}
          {canChange && (
            <button type="button" onClick={show('edit')}>
              <Icon name="edit" />
              {t('edit')}
            </button>
          )}
          <Menu label={t('more')} icon="menu">
            <button type="button" class="quiet" onClick={show('parameters')}>
              <Icon name="columns" />
              {t('parts.category-parameters')}
            </button>
            {!category.structural && hasPermission('add', 'part') && (
              <ImportLink type="part" fixed={{ category: category.pk }}>
                {t('import.from-spreadsheet')}
              </ImportLink>
            )}
            {canAdd && (
              <button type="button" class="quiet" onClick={show('category')}>
                <Icon name="plus" />
                {t('parts.new-category')}
              </button>
            )}
            {canChange && (
              <button type="button" class="quiet" onClick={toggleSubscription}>
                <Icon name="bell" />
                {category.starred ? t('parts.unsubscribe') : t('parts.subscribe')}
              </button>
            )}
            {canDelete && (
              <button type="button" class="quiet" onClick={show('delete')}>
                <Icon name="trash" />
                {t('delete')}
              </button>
            )}
          </Menu>
        </>
      }
      isFull
    >
      {category.description && <p class="page-text">{category.description}</p>}
      <CategoryLinks categories={data.below.body} />
      <PartTable
        key={category.pk}
        category={category.pk}
        templates={data.templates.body.results}
        first={{ url: firstUrl, page: data.parts.body }}
        empty={<Empty icon="chip" title={t('parts.none')} />}
      />
      {dialog}
      {openDialog.value === 'category' && <NewCategory parent={category.pk} onClose={close} />}
      {openDialog.value === 'parameters' && (
        <CategoryParameters
          category={category.pk}
          rights={{
            add: hasPermission('add', 'part'),
            change: hasPermission('change', 'part'),
            delete: hasPermission('delete', 'part'),
          }}
          onClose={close}
        />
      )}
      {openDialog.value === 'delete' && (
        <Confirm
          title={t('parts.delete-category', { name: category.name })}
          button={t('delete')}
          onConfirm={async () => {
            await remove(url, data.category.etag)
            navigate(crumbs.at(-1)?.to ?? '/part/', { replace: true })
          }}
          onClose={close}
        >
          <p>{t('parts.delete-category-text')}</p>
        </Confirm>
      )}
      {openDialog.value === 'edit' && (
        <Dialog title={t('edit')} onClose={close}>
          <Edit
            metadata={metadata}
            url={url}
            start={data.category}
            names={FIELDS}
            without={['pathstring', 'starred']}
            onSaved={() => {
              close()
              reload()
            }}
            onCancel={close}
          />
        </Dialog>
      )}
    </Page>
  )
}

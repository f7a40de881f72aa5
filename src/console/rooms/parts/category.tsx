import facts from 'facts:/api/part/category/'
import { useSignal } from '@preact/signals'
import { type Page as ListPage, withQuery } from '../../kit/api.ts'
import { useRead } from '../../kit/data.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Edit } from '../../kit/edit.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { number, t } from '../../kit/language.ts'
import { Badge, Empty, Page, type PageProperties } from '../../kit/page.tsx'
import { Refused } from '../../kit/refused.tsx'
import { may } from '../../kit/session.ts'
import { PartTable, useNewPart } from './parts.tsx'

type Category = {
  pk: number
  name: string
  description: string
  structural: boolean
  part_count: number
  path?: { pk: number; name: string }[]
}

const FIELDS = ['name', 'description', 'parent', 'structural', 'default_location', 'default_keywords']

/** `/part/category/:pk/`: a category, those in it, and its parts. */
export function CategoryPage({ at }: PageProperties) {
  const url = `/api/part/category/${at.pk}/`
  const { data, refusal, again } = useRead<{ category: Category; below: ListPage<Category> }>({
    category: withQuery(url, { path_detail: true }),
    below: withQuery('/api/part/category/', { parent: at.pk, cascade: false, ordering: 'name', limit: 200 }),
  })
  const isEditing = useSignal(false)
  const { button, dialog } = useNewPart(Number(at.pk))
  const mayChange = may('change', 'part_category')
  const edit = () => {
    isEditing.value = true
  }
  const close = () => {
    isEditing.value = false
  }
  useCommands(() => (mayChange ? [{ keys: 'e', label: () => t('edit'), run: edit }] : []), [mayChange])
  const crumbs = [
    { text: t('parts.title'), to: '/part/' },
    ...(data?.category.body.path ?? [])
      .filter(({ pk }) => pk !== Number(at.pk))
      .map(({ pk, name }) => ({ text: name, to: `/part/category/${pk}/` })),
  ]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data) return null
  const category = data.category.body
  const below = data.below.body.results
  return (
    <Page
      title={category.name}
      crumbs={crumbs}
      state={category.structural && <Badge>{t('parts.structural')}</Badge>}
      actions={
        <>
          {!category.structural && button}
          {mayChange && (
            <button type="button" onClick={edit}>
              <Icon name="edit" />
              {t('edit')}
            </button>
          )}
        </>
      }
      isFull
    >
      {category.description && <p class="page-text">{category.description}</p>}
      {below.length > 0 && (
        <nav class="places" aria-label={t('parts.categories')}>
          {below.map(({ pk, name, part_count }) => (
            <a key={pk} href={`/part/category/${pk}/`}>
              {name}
              <small>{number(part_count)}</small>
            </a>
          ))}
        </nav>
      )}
      <PartTable key={category.pk} category={category.pk} empty={<Empty icon="chip" title={t('parts.none')} />} />
      {dialog}
      {isEditing.value && (
        <Dialog title={t('edit')} onClose={close}>
          <Edit
            facts={facts}
            url={url}
            start={data.category}
            names={FIELDS}
            without={['pathstring', 'starred']}
            onSaved={() => {
              close()
              again()
            }}
            onCancel={close}
          />
        </Dialog>
      )}
    </Page>
  )
}

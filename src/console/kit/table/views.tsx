import metadata from 'metadata:/api/web/view/'
import { useSignal } from '@preact/signals'
import { bindSubmit, Field, useForm } from '../form/form.tsx'
import { FormFooter } from '../form/form-footer.tsx'
import { t } from '../language/language.ts'
import { routeLocation } from '../navigation/router.ts'
import { useRead } from '../page/data.ts'
import { Icon } from '../page/icon.tsx'
import { Menu } from '../page/menu.tsx'
import { attempt } from '../page/toast.tsx'
import { type Page, post, remove, withQuery } from '../service/api.ts'
import { account } from '../service/session.ts'

type View = {
  pk: number
  user: number
  user_detail: { username: string } | null
  name: string
  path: string
  query: string
  shared: boolean
}

/** The part of the URL that a view saves: filters, order and columns, but not the position in the list. */
function queryToSave(): string {
  const query = new URLSearchParams(routeLocation.value.query)
  query.delete('at')
  return query.toString()
}

/** The saved views of the current list, those of the user and shared ones, and a form that saves the current state as a view. */
export const Views = () => (
  <Menu label={t('views')} icon="view">
    <ViewList />
  </Menu>
)

function ViewList() {
  const { path } = routeLocation.value
  const { data, error, reload } = useRead<{ views: Page<View> }>({
    views: withQuery('/api/web/view/', { path, user_detail: true, ordering: 'name', limit: 200 }),
  })
  const isSaving = useSignal(false)
  if (error) return <p class="problem">{error.message}</p>
  if (!data) return null
  const views = data.views.body.results
  const currentQuery = queryToSave()
  const deleteView = ({ pk }: View) => attempt(() => remove(`/api/web/view/${pk}/`).then(reload))
  return (
    <>
      {views.length > 0 ? (
        <ul class="views" aria-label={t('views')}>
          {views.map((view) => (
            <li key={view.pk}>
              <a
                href={view.query ? `${view.path}?${view.query}` : view.path}
                aria-current={view.query === currentQuery ? 'true' : undefined}
              >
                {view.name} {view.user !== account.value?.pk && <small>{view.user_detail?.username}</small>}
                {view.user === account.value?.pk && view.shared && <small>{t('views.shared')}</small>}
              </a>
              {view.user === account.value?.pk && (
                <button
                  type="button"
                  class="quiet icon-only"
                  aria-label={t('views.delete', { name: view.name })}
                  onClick={() => deleteView(view)}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p class="quiet-text">{t('views.none')}</p>
      )}
      {isSaving.value ? (
        <NewView
          onDone={() => {
            isSaving.value = false
            reload()
          }}
        />
      ) : (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            isSaving.value = true
          }}
        >
          <Icon name="plus" />
          {t('views.save')}
        </button>
      )}
    </>
  )
}

function NewView({ onDone }: { onDone: () => void }) {
  const form = useForm(metadata, { name: '', shared: false })
  async function save() {
    const view = { ...form.values.value, path: routeLocation.value.path, query: queryToSave() }
    if (await form.submit((key) => post<View>(metadata.path, view, key))) onDone()
  }
  return (
    <form {...bindSubmit(save)}>
      <div class="fields">
        <Field form={form} name="name" title={t('views.name')} help={null} autofocus />
        <Field form={form} name="shared" title={t('views.share')} help={null} />
      </div>
      <FormFooter form={form}>{t('save')}</FormFooter>
    </form>
  )
}

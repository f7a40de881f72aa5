import metadata from 'metadata:/api/auth/social/'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { formatDateTime, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Panel } from '../../../kit/page/page.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { type Page, postQuery } from '../../../kit/service/api.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { loadSignInMethods, type SignInMethods, withReturn } from '../../sign-in/providers.tsx'

type LinkedSignIn = { pk: number; provider: string; last_login: string | null; date_joined: string }

/** Accounts at single sign-on providers that sign in to this account. Hidden where no provider is configured. */
export function LinkedSignIns() {
  const { data, error, reload } = useRead<{ list: Page<Omit<LinkedSignIn, 'pk'> & { id: number }> }>({
    list: `${metadata.path}?limit=100`,
  })
  const methods = useSignal<SignInMethods | undefined>(undefined)
  const signInToRemove = useSignal<LinkedSignIn | undefined>(undefined)
  useEffect(() => {
    loadSignInMethods().then((loaded) => {
      methods.value = loaded
    })
  }, [])
  if (error) return <LoadError error={error} />
  if (!data || !methods.value) return null
  const rows = data.list.body.results.map(({ id, ...row }): LinkedSignIn => ({ pk: id, ...row }))
  const { providers, sso_enabled: isEnabled } = methods.value
  const available = isEnabled ? providers.filter(({ configured, connect }) => configured && connect) : []
  if (rows.length === 0 && available.length === 0) return null
  const getProviderName = ({ provider }: LinkedSignIn) => providers.find(({ id }) => id === provider)?.name ?? provider
  return (
    <Panel
      title={t('account.linked')}
      actions={available.map(({ id, name, connect }) => (
        <a key={id} class="button" href={withReturn(connect as string)}>
          {t('account.link-provider', { provider: name })}
        </a>
      ))}
    >
      <p>{t('account.linked.about')}</p>
      {rows.length > 0 && (
        <ShortTable
          title={t('account.linked')}
          rows={rows}
          columns={[
            { name: 'provider', title: () => t('account.provider'), cell: getProviderName },
            {
              name: 'date_joined',
              title: () => t('account.linked-on'),
              isWide: true,
              cell: ({ date_joined }) => formatDateTime(date_joined),
            },
            { name: 'last_login', title: () => t('account.last-use'), cell: ({ last_login }) => formatDateTime(last_login) },
            {
              name: 'actions',
              title: () => '',
              align: 'end',
              cell: (row) => (
                <button
                  type="button"
                  class="quiet"
                  aria-label={t('account.unlink-provider', { provider: getProviderName(row) })}
                  onClick={() => {
                    signInToRemove.value = row
                  }}
                >
                  {t('account.unlink')}
                </button>
              ),
            },
          ]}
        />
      )}
      {signInToRemove.value && (
        <Confirm
          title={t('account.unlink-ask', { provider: getProviderName(signInToRemove.value) })}
          button={t('account.unlink')}
          onConfirm={async () => {
            await postQuery(`${metadata.path}${signInToRemove.value?.pk}/disconnect/`)
            showToast(t('account.unlinked'))
            reload()
          }}
          onClose={() => {
            signInToRemove.value = undefined
          }}
        >
          <p>{t('account.unlink.about')}</p>
        </Confirm>
      )}
    </Panel>
  )
}

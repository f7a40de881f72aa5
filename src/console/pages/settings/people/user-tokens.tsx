import metadata from 'metadata:/api/user/all-tokens/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { formatDate, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { Badge, Panel } from '../../../kit/page/page.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { type Page, remove } from '../../../kit/service/api.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'

type Token = { pk: number; name: string; expiry: string | null; last_seen: string | null; read_only: boolean; active: boolean }

/** The valid API tokens of an account; a superuser can revoke any of them. */
export function UserTokens({ user }: { user: number }) {
  const { data, reload } = useRead<{ list: Page<Token> }>({
    list: `${metadata.path}?user=${user}&revoked=false&ordering=-created&limit=250`,
  })
  const tokenToRevoke = useSignal<Token | undefined>(undefined)
  if (!data) return null
  const rows = data.list.body.results
  return (
    <Panel title={t('account.tokens')}>
      {rows.length === 0 ? (
        <p class="quiet-text">{t('account.no-tokens')}</p>
      ) : (
        <ShortTable
          title={t('account.tokens')}
          rows={rows}
          columns={[
            {
              name: 'name',
              cell: (token) => (
                <>
                  {getTokenName(token)} {token.read_only && <Badge>{t('account.read-only')}</Badge>}{' '}
                  {!token.active && <Badge tone="bad">{t('account.expired')}</Badge>}
                </>
              ),
            },
            {
              name: 'expiry',
              title: () => t('account.valid-until'),
              isWide: true,
              cell: ({ expiry }) => (expiry === null ? t('account.unlimited') : formatDate(expiry)),
            },
            {
              name: 'last_seen',
              title: () => t('account.last-use'),
              cell: ({ last_seen }) => (last_seen === null ? t('account.never') : formatDate(last_seen)),
            },
            {
              name: 'actions',
              title: () => '',
              align: 'end',
              cell: (token) => (
                <button
                  type="button"
                  class="quiet"
                  aria-label={t('account.revoke-token', { name: getTokenName(token) })}
                  onClick={() => (tokenToRevoke.value = token)}
                >
                  {t('account.revoke')}
                </button>
              ),
            },
          ]}
        />
      )}
      {tokenToRevoke.value && (
        <Confirm
          title={t('account.revoke-ask', { name: getTokenName(tokenToRevoke.value) })}
          button={t('account.revoke')}
          onConfirm={async () => {
            await remove(`${metadata.path}${tokenToRevoke.value?.pk}/`)
            showToast(t('account.revoked'))
            reload()
          }}
          onClose={() => (tokenToRevoke.value = undefined)}
        >
          <p>{t('account.revoke.about')}</p>
        </Confirm>
      )}
    </Panel>
  )
}

/** The name of a token; sign-in returns one without. */
const getTokenName = ({ name }: Token): string => name || t('account.sign-in-token')

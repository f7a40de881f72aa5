import metadata from 'metadata:/api/user/tokens/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { Field } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { formatDate, t } from '../../../kit/language/language.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Empty, Panel } from '../../../kit/page/page.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { type Page, postQuery, remove } from '../../../kit/service/api.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { getDateInDays } from '../../../kit/values/days.ts'
import { SecretDialog } from '../../../kit/window/secret-dialog.tsx'
import { SettingsPage } from '../settings-page.tsx'

type Token = {
  pk: number
  name: string
  created: string
  expiry: string | null
  last_seen: string | null
  read_only: boolean
  active: boolean
}
type CreatedToken = Pick<Token, 'pk' | 'name' | 'expiry' | 'read_only'> & { token: string }

/** Days until a token expires, if nothing else is entered. */
const LIFETIME_DAYS = 365

/** `/settings/tokens/`: keys with which programs use the API as this account. */
export function TokensPage() {
  const { data, error, reload } = useRead<{ list: Page<Token> }>({
    list: `${metadata.path}?revoked=false&ordering=-created&limit=250`,
  })
  const isCreating = useSignal(false)
  const createdToken = useSignal<CreatedToken | undefined>(undefined)
  const tokenToRevoke = useSignal<Token | undefined>(undefined)
  const setCreating = (isOpen: boolean) => () => {
    isCreating.value = isOpen
  }
  const actions = useActions([{ title: t('account.new-token'), icon: 'plus', keys: 'n', run: setCreating(true) }])
  if (error) return <LoadError error={error} />
  const rows = data?.list.body.results ?? []
  return (
    <SettingsPage title={t('account.tokens')} actions={actions}>
      <Panel>
        <p>{t('account.tokens.about')}</p>
        {data && rows.length === 0 && <Empty icon="key" title={t('account.no-tokens')} />}
        {rows.length > 0 && (
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
                name: 'created',
                title: () => t('account.created'),
                isWide: true,
                // only its day is stored, as that of UTC
                cell: ({ created }) => formatDate(created.slice(0, 10)),
              },
              {
                name: 'expiry',
                title: () => t('account.valid-until'),
                cell: ({ expiry }) => (expiry === null ? t('account.unlimited') : formatDate(expiry)),
              },
              {
                name: 'last_seen',
                title: () => t('account.last-use'),
                isWide: true,
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
                    onClick={() => {
                      tokenToRevoke.value = token
                    }}
                  >
                    {t('account.revoke')}
                  </button>
                ),
              },
            ]}
          />
        )}
      </Panel>
      {isCreating.value && (
        <FormDialog
          title={t('account.new-token')}
          metadata={metadata}
          start={{ name: '', expiry: getDateInDays(LIFETIME_DAYS), read_only: false }}
          names={['name', 'expiry', 'read_only']}
          without="rest"
          customFields={(form) => ({
            name: () => <Field form={form} name="name" help={t('account.token-name.help')} autofocus />,
            expiry: () => (
              <Field form={form} name="expiry" title={t('account.valid-until')} help={t('account.valid-until.help')} />
            ),
            read_only: () => (
              <Field form={form} name="read_only" title={t('account.read-only')} help={t('account.read-only.help')} />
            ),
          })}
          button={t('account.create-token')}
          send={(values) => postQuery<CreatedToken>(metadata.path, values)}
          onDone={({ body }) => {
            isCreating.value = false
            createdToken.value = body
            reload()
          }}
          onClose={setCreating(false)}
        />
      )}
      {createdToken.value && (
        <SecretDialog
          title={t('account.token-created', { name: createdToken.value.name })}
          about={t('account.token-created.about')}
          label={t('account.key')}
          value={createdToken.value.token}
          help={t('account.token-created.use')}
          closeText={t('account.key-stored')}
          onClose={() => {
            createdToken.value = undefined
          }}
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
          onClose={() => {
            tokenToRevoke.value = undefined
          }}
        >
          <p>{t('account.revoke.about')}</p>
        </Confirm>
      )}
    </SettingsPage>
  )
}

/** The name of a token; sign-in returns one without. */
const getTokenName = ({ name }: Pick<Token, 'name'>): string => name || t('account.sign-in-token')

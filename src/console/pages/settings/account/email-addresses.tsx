import metadata from 'metadata:/api/auth/emails/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Empty, Panel } from '../../../kit/page/page.tsx'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { type Page, postQuery } from '../../../kit/service/api.ts'
import { account } from '../../../kit/service/session.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'

type EmailAddress = { pk: number; email: string; verified: boolean; primary: boolean }

/** The email addresses of the account: the service writes to the primary one. An emailed link verifies an address. */
export function EmailAddresses() {
  const { data, error, reload } = useRead<{ list: Page<Omit<EmailAddress, 'pk'> & { id: number }> }>({
    list: `${metadata.path}?limit=100`,
  })
  const isAdding = useSignal(false)
  const addressToRemove = useSignal<EmailAddress | undefined>(undefined)
  if (error) return <LoadError error={error} />
  if (!data) return null
  const rows = data.list.body.results.map(({ id, ...row }): EmailAddress => ({ pk: id, ...row }))
  const hasVerifiedPrimary = rows.some(({ primary, verified }) => primary && verified)
  const run = async (row: EmailAddress, action: 'primary' | 'verify', message: string) => {
    if (!(await attempt(() => postQuery(`${metadata.path}${row.pk}/${action}/`)))) return
    showToast(message)
    reload()
  }
  return (
    <Panel
      title={t('account.emails')}
      actions={
        <button
          type="button"
          onClick={() => {
            isAdding.value = true
          }}
        >
          <Icon name="plus" />
          {t('account.add-email')}
        </button>
      }
    >
      {rows.length === 0 ? (
        <Empty title={t('account.no-emails')}>
          <p>{t('account.no-emails.about')}</p>
        </Empty>
      ) : (
        <ShortTable
          title={t('account.emails')}
          rows={rows}
          columns={[
            {
              name: 'email',
              cell: ({ email, verified, primary }) => (
                <>
                  {email}{' '}
                  <span class="badges">
                    {primary && <Badge tone="accent">{t('account.primary')}</Badge>}
                    {verified ? (
                      <Badge tone="good">{t('account.verified')}</Badge>
                    ) : (
                      <Badge tone="warn">{t('account.not-verified')}</Badge>
                    )}
                  </span>
                </>
              ),
            },
            {
              name: 'actions',
              title: () => '',
              align: 'end',
              cell: (row) => (
                <span class="row-buttons">
                  {!row.primary && (row.verified || !hasVerifiedPrimary) && (
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`${row.email}: ${t('account.make-primary')}`}
                      onClick={() => run(row, 'primary', t('account.is-primary', { email: row.email }))}
                    >
                      {t('account.make-primary')}
                    </button>
                  )}
                  {!row.verified && (
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`${row.email}: ${t('account.send-link')}`}
                      onClick={() => run(row, 'verify', t('account.link-sent', { email: row.email }))}
                    >
                      {t('account.send-link')}
                    </button>
                  )}
                  {(!row.primary || rows.length === 1) && (
                    <button
                      type="button"
                      class="quiet icon-only"
                      aria-label={t('account.remove-email', { email: row.email })}
                      title={t('account.remove-email', { email: row.email })}
                      onClick={() => {
                        addressToRemove.value = row
                      }}
                    >
                      <Icon name="trash" />
                    </button>
                  )}
                </span>
              ),
            },
          ]}
        />
      )}
      {isAdding.value && (
        <FormDialog
          title={t('account.add-email')}
          metadata={metadata}
          start={{ email: '' }}
          names={['email']}
          without="rest"
          button={t('account.add-email')}
          send={({ email }) => postQuery<{ email: string }>(metadata.path, { email, user: account.value?.pk })}
          getSuccessMessage={({ body: { email } }) => t('account.link-sent', { email })}
          onDone={() => {
            isAdding.value = false
            reload()
          }}
          onClose={() => {
            isAdding.value = false
          }}
        />
      )}
      {addressToRemove.value && (
        <Confirm
          title={t('account.remove-email-ask', { email: addressToRemove.value.email })}
          button={t('account.remove')}
          onConfirm={async () => {
            await postQuery(`${metadata.path}${addressToRemove.value?.pk}/remove/`)
            reload()
          }}
          onClose={() => {
            addressToRemove.value = undefined
          }}
        >
          <p>{t('account.remove-email.about')}</p>
        </Confirm>
      )}
      <p class="help">{t('account.emails.about')}</p>
    </Panel>
  )
}

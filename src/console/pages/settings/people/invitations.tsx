import metadata from 'metadata:/api/user/invitation/'
import renewMetadata from 'metadata:/api/user/invitation/{id}/renew/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { Field } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { formatDateTime, t } from '../../../kit/language/language.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Empty, Panel } from '../../../kit/page/page.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { type Page, postQuery, remove } from '../../../kit/service/api.ts'
import { type Account, formatAccountName } from '../../../kit/service/session.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isSuperuser } from '../settings-pages.ts'
import { INVITATION_DAYS, Invite, type IssuedInvitation, IssuedLink } from './invite.tsx'
import type { GroupName } from './people.ts'

type Invitation = {
  pk: number
  email: string
  groups: GroupName[]
  is_staff: boolean
  is_superuser: boolean
  created: string
  expires: string
  expired: boolean
  created_by_detail: Pick<Account, 'username' | 'first_name' | 'last_name'>
}

/** `/settings/invitations/`: invitations that have not been accepted. */
export const InvitationsPage = () => (
  <SettingsPage title={t('people.invitations')} rejection={t('settings.for-superusers')}>
    {isSuperuser() && <InvitationList />}
  </SettingsPage>
)

function InvitationList() {
  const { data, error, reload } = useRead<{ list: Page<Invitation>; service: { email_configured: boolean } }>({
    list: `${metadata.path}?limit=250`,
    service: '/api/',
  })
  const isInviting = useSignal(false)
  const invitationToRenew = useSignal<Invitation | undefined>(undefined)
  const issuedInvitation = useSignal<IssuedInvitation | undefined>(undefined)
  const invitationToRevoke = useSignal<Invitation | undefined>(undefined)
  const actions = useActions([{ title: t('people.invite'), icon: 'plus', keys: 'n', run: () => (isInviting.value = true) }])
  if (error) return <LoadError error={error} />
  if (!data) return null
  const canMail = data.service.body.email_configured
  const rows = data.list.body.results
  return (
    <>
      <Panel title={t('people.open-invitations')} actions={actions}>
        <p>{t('people.invitations.text')}</p>
        {rows.length === 0 ? (
          <Empty icon="send" title={t('people.no-invitations')} />
        ) : (
          <ShortTable
            title={t('people.invitations')}
            rows={rows}
            columns={createColumns(invitationToRenew, invitationToRevoke)}
          />
        )}
      </Panel>
      {isInviting.value && (
        <Invite
          onClose={() => {
            isInviting.value = false
            reload()
          }}
        />
      )}
      {invitationToRenew.value && (
        <FormDialog
          title={t('people.renew-of', { email: getInvitationName(invitationToRenew.value) })}
          metadata={renewMetadata}
          start={{ send_mail: canMail && invitationToRenew.value.email !== '', days: INVITATION_DAYS }}
          names={[...(canMail && invitationToRenew.value.email !== '' ? ['send_mail'] : []), 'days']}
          without="rest"
          customFields={(form) => ({
            send_mail: () => (
              <Field form={form} name="send_mail" title={t('people.send-mail')} help={t('people.send-mail.help')} />
            ),
            days: () => <Field form={form} name="days" title={t('people.days')} help={null} />,
          })}
          button={t('people.renew')}
          send={(values) => postQuery<IssuedInvitation>(`${metadata.path}${invitationToRenew.value?.pk}/renew/`, values)}
          onDone={({ body }) => {
            invitationToRenew.value = undefined
            issuedInvitation.value = body
            if (body.url === null) showToast(t('people.invitation-mailed', { email: body.email }))
            reload()
          }}
          onClose={() => (invitationToRenew.value = undefined)}
        >
          <p>{t('people.renew.about')}</p>
        </FormDialog>
      )}
      {issuedInvitation.value && (
        <IssuedLink issued={issuedInvitation.value} onClose={() => (issuedInvitation.value = undefined)} />
      )}
      {invitationToRevoke.value && (
        <Confirm
          title={t('people.revoke-ask', { email: getInvitationName(invitationToRevoke.value) })}
          button={t('account.revoke')}
          onConfirm={async () => {
            await remove(`${metadata.path}${invitationToRevoke.value?.pk}/`)
            showToast(t('people.invitation-revoked'))
            reload()
          }}
          onClose={() => (invitationToRevoke.value = undefined)}
        >
          <p>{t('people.revoke.about')}</p>
        </Confirm>
      )}
    </>
  )
}

type Selection = { value: Invitation | undefined }

/** @param renewed receives the invitation to renew @param revoked receives the one to revoke */
const createColumns = (renewed: Selection, revoked: Selection) => [
  {
    name: 'email',
    cell: (row: Invitation) => (
      <>
        {getInvitationName(row)} {row.expired && <Badge tone="bad">{t('account.expired')}</Badge>}
      </>
    ),
  },
  {
    name: 'rights',
    title: () => t('people.rights'),
    cell: ({ groups, is_staff, is_superuser }: Invitation) =>
      [is_superuser ? t('people.superuser') : is_staff ? t('people.staff') : '', groups.map(({ name }) => name).join(', ')]
        .filter(Boolean)
        .join(' · ') || t('people.no-group'),
  },
  {
    name: 'created_by',
    title: () => t('people.invited-by'),
    isWide: true,
    cell: ({ created_by_detail }: Invitation) => formatAccountName(created_by_detail),
  },
  {
    name: 'expires',
    title: () => t('account.valid-until'),
    isWide: true,
    cell: ({ expires }: Invitation) => formatDateTime(expires),
  },
  {
    name: 'actions',
    title: () => '',
    align: 'end' as const,
    cell: (row: Invitation) => (
      <span class="row-buttons">
        <button
          type="button"
          class="quiet"
          aria-label={t('people.renew-of', { email: getInvitationName(row) })}
          onClick={() => {
            renewed.value = row
          }}
        >
          {t('people.renew')}
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={t('account.revoke-token', { name: getInvitationName(row) })}
          onClick={() => {
            revoked.value = row
          }}
        >
          {t('account.revoke')}
        </button>
      </span>
    ),
  },
]

/** The address of an invitation; without one, when it was created. */
const getInvitationName = ({ email, created }: Pick<Invitation, 'email' | 'created'>): string =>
  email || t('people.invitation-of', { time: formatDateTime(created) })

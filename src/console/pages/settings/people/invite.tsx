import metadata from 'metadata:/api/user/invitation/'
import { useSignal } from '@preact/signals'
import { Field } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { formatDateTime, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { showToast } from '../../../kit/page/toast.tsx'
import { type Page, postQuery } from '../../../kit/service/api.ts'
import { GROUPS_URL, GroupChoice } from './group-choice.tsx'
import { LinkDialog } from './link-dialog.tsx'
import type { GroupName } from './people.ts'

/** An invitation with its new link; null if that was mailed. */
export type IssuedInvitation = { pk: number; email: string; expires: string; url: string | null }

/** Days for which the link of an invitation is valid, if nothing else is entered. */
export const INVITATION_DAYS = 7

/** Invites a person: enters who, and with which groups and permissions; then shows the link, or says that it was mailed. */
export function Invite({ onClose }: { onClose: () => void }) {
  const { data } = useRead<{ groups: Page<GroupName>; service: { email_configured: boolean } }>({
    groups: GROUPS_URL,
    service: '/api/',
  })
  const issuedInvitation = useSignal<IssuedInvitation | undefined>(undefined)
  if (issuedInvitation.value) return <IssuedLink issued={issuedInvitation.value} onClose={onClose} />
  if (!data) return null
  const canMail = data.service.body.email_configured
  return (
    <FormDialog
      title={t('people.invite')}
      metadata={metadata}
      start={{ email: '', group_ids: [], is_staff: false, is_superuser: false, send_mail: canMail, days: INVITATION_DAYS }}
      names={['email', 'group_ids', 'is_staff', 'is_superuser', ...(canMail ? ['send_mail'] : []), 'days']}
      without="rest"
      customFields={(form) => ({
        email: () => <Field form={form} name="email" help={t('people.invite.email')} autofocus />,
        group_ids: () => (
          <>
            <GroupChoice form={form} groups={data.groups.body.results} />
            {grantsNothing(form.values.value) && <p class="notice">{t('people.invite.no-group')}</p>}
          </>
        ),
        is_staff: () => <Field form={form} name="is_staff" title={t('people.staff')} help={t('people.staff.help')} />,
        is_superuser: () => (
          <Field form={form} name="is_superuser" title={t('people.superuser')} help={t('people.superuser.help')} />
        ),
        send_mail: () => <Field form={form} name="send_mail" title={t('people.send-mail')} help={t('people.send-mail.help')} />,
        days: () => <Field form={form} name="days" title={t('people.days')} help={null} />,
      })}
      button={t('people.invite')}
      send={(values) => postQuery<IssuedInvitation>(metadata.path, values)}
      onDone={({ body }) => {
        issuedInvitation.value = body
        if (body.url === null) onClose()
        if (body.url === null) showToast(t('people.invitation-mailed', { email: body.email }))
      }}
      onClose={onClose}
    >
      <p>{t('people.invite.about')}</p>
      {!canMail && <p class="quiet-text">{t('people.no-mail')}</p>}
    </FormDialog>
  )
}

/** Whether the entered invitation gives no permission at all. */
const grantsNothing = ({ group_ids, is_staff, is_superuser }: Record<string, unknown>): boolean =>
  (group_ids as number[]).length === 0 && !is_staff && !is_superuser

/** The link of an invitation, which is shown once. */
export const IssuedLink = ({ issued: { email, expires, url }, onClose }: { issued: IssuedInvitation; onClose: () => void }) =>
  url === null ? null : (
    <LinkDialog
      title={email ? t('people.invited', { email }) : t('people.invitation-created')}
      about={t('people.invited.about', { time: formatDateTime(expires) })}
      url={url}
      onClose={onClose}
    />
  )

import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { confirmationErrorDocs, requireConfirmation } from '../../auth/confirm/require-confirmation.ts'
import { userGroup } from '../group/user-group.table.ts'
import { requireStillSuperuser } from '../recheck-superuser.ts'
import { recordEvent } from '../security-event/record-event.ts'
import { checkMail, issuedSchema, issueInvitation, linkFields } from './issue-invitation.ts'

export const createInvitation = action({
  method: 'POST',
  path: '/api/user/invitation/',
  summary: 'Invite a person',
  description:
    'Creates an invitation with groups and permissions, and emails its link, or returns it: only once, as the service stores its hash. The person who opens the link chooses a username and a password, which creates the account.',
  errors: {
    ...confirmationErrorDocs,
    invalid: 'A field breaks a rule; or the link is to be emailed, and there is no address, or no mail server is configured.',
  },
  example: { body: { email: 'ada@songbird.example', group_ids: [1], is_staff: false } },
  access: superuser,
  status: 201,
  containsSecret: true,
  body: {
    email: input.email({
      label: 'Email address',
      help: 'The address of the invited person. The account gets it; without one, the invited person enters it.',
    }),
    group_ids: input.list(
      input.reference(() => userGroup, { options: { model: 'group', api_url: '/api/user/group/' } }),
      { max: 1000, default: [], label: 'Groups', help: 'The groups that the account joins.' },
    ),
    is_staff: input.boolean({ default: false, label: 'Staff status', help: 'Whether the account becomes staff.' }),
    is_superuser: input.boolean({ default: false, label: 'Superuser status', help: 'Whether the account becomes a superuser.' }),
    ...linkFields,
  },
  response: issuedSchema,
  async run(request) {
    const { tx, caller, body } = request
    await requireConfirmation(request)
    await requireStillSuperuser(request)
    const { email = '', is_staff, is_superuser } = body
    if (body.send_mail) checkMail(request, email)
    const row = (await tx.first<{ pk: number }>(
      `insert into invitation (email, is_staff, is_superuser, created_by, expires) values ($1, $2, $3, $4, now()) returning pk`,
      [email, is_staff, is_superuser, caller.pk],
    )) as { pk: number }
    const groups = await tx.query<{ name: string }>(
      `with added as (
         insert into invitation_group (invitation, "group") select $1, g from unnest($2::integer[]) as given (g) on conflict do nothing
       )
       select name from user_group where pk = any($2::integer[]) order by name`,
      [row.pk, body.group_ids],
    )
    const { send_mail: by_mail, days } = body
    const details = { invitation: row.pk, email, is_staff, is_superuser, groups: groups.map(({ name }) => name), by_mail, days }
    await recordEvent(request, { kind: 'invitation_made', actor: caller.pk, details })
    return issueInvitation(request, row.pk, body)
  },
})

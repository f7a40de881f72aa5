import { action } from '../../../../kit/definition/action.ts'
import { superuser } from '../../../../kit/request/caller.ts'
import { lockRow } from '../../../../kit/writing/write.ts'
import { confirmationErrorDocs, requireConfirmation } from '../../../auth/confirm/require-confirmation.ts'
import { requireStillSuperuser } from '../../recheck-superuser.ts'
import { recordEvent } from '../../security-event/record-event.ts'
import { invitations } from '../invitation.resource.ts'
import { checkMail, issuedSchema, issueInvitation, linkFields } from '../issue-invitation.ts'

export const renewInvitation = action({
  method: 'POST',
  path: '/api/user/invitation/{id}/renew/',
  summary: 'Issue a new link for an invitation',
  description: 'Emails a new link, or returns it, and sets when it expires. The previous link becomes invalid immediately.',
  errors: {
    ...confirmationErrorDocs,
    invalid: 'A field breaks a rule; or the link is to be emailed, and there is no address, or no mail server is configured.',
  },
  example: { params: { id: 1 }, body: { days: 7 } },
  access: superuser,
  status: 200,
  containsSecret: true,
  body: linkFields,
  response: issuedSchema,
  async run(request) {
    const { pk, caller, body } = request
    await requireConfirmation(request)
    await requireStillSuperuser(request)
    const { email } = await lockRow(invitations, pk, request)
    if (body.send_mail) checkMail(request, email as string)
    const { send_mail: by_mail, days } = body
    await recordEvent(request, {
      kind: 'invitation_renewed',
      actor: caller.pk,
      details: { invitation: pk, email, by_mail, days },
    })
    return issueInvitation(request, pk, body)
  },
})

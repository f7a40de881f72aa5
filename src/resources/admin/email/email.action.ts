import { Type } from 'typebox'
import { action, Json, view } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { responseSchema } from '../../../kit/definition/resource.ts'
import { readDetail } from '../../../kit/reading/detail.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { invalid, notFound, Problem } from '../../../kit/request/problem.ts'
import { queryThrough, queryWithin, type RunQuery } from '../../../kit/sql/run-query.ts'
import { INVALID_BULK_ITEM, readBulkSelection } from '../../../kit/writing/bulk.ts'
import { sendMail } from '../../email/mail.ts'
import { serviceErrors } from '../../service-errors.ts'
import { emailMessage, mailUuid } from './email-message.resource.ts'

/** The keys of the listed mails with these ids. */
const findMails = (query: RunQuery, ids: readonly string[], lock = '') =>
  query<{ pk: number; id: string; state: string }>(
    `select pk, ${mailUuid('pk')} as id, state from outgoing_mail
     where ("user" is not null or invitation is not null) and ${mailUuid('pk')} = any($1::text[]) order by pk ${lock}`,
    [ids],
  )

const detail = {
  path: '/api/admin/email/{global_id}/',
  access: superuser,
  params: { global_id: 'The key of the mail.' },
  errors: { not_found: 'There is no such mail.' },
  example: { params: { global_id: '00000000-0000-4000-8000-000000000000' }, status: 404 },
}

const DELETE_REMARK = 'An email that has not been sent yet stays.'

/** @throws Problem 400 for a mail that waits or is being sent */
async function deleteMails(query: RunQuery, ids: readonly string[]): Promise<number> {
  const mails = await findMails(query, ids, 'for no key update')
  if (mails.some(({ state }) => state === 'queued' || state === 'sending'))
    throw new Problem('wrong_state', serviceErrors.mail_not_sent_yet)
  await query('delete from outgoing_mail where pk = any($1::integer[])', [mails.map(({ pk }) => pk)])
  return mails.length
}

export const emailActions = [
  view({
    ...detail,
    summary: 'Get a sent mail',
    description: 'Returns a mail that the service sent, or could not send.',
    response: responseSchema(emailMessage),
    async read(request) {
      const [mail] = await findMails(queryThrough(request), [request.params.global_id ?? ''])
      if (!mail) throw notFound()
      const { caller, database } = request
      return new Json(
        (await readDetail(emailMessage, mail.pk, new Set(), { caller, services: request, executor: database })).body,
      )
    },
  }),
  action({
    ...detail,
    method: 'DELETE',
    summary: 'Delete a sent email',
    description: `Deletes the record of a mail. ${DELETE_REMARK}`,
    errors: { ...detail.errors, wrong_state: 'The mail has not been sent yet.' },
    status: 204,
    async run({ tx, params }) {
      if ((await deleteMails(queryWithin(tx), [params.global_id ?? ''])) === 0) throw notFound()
    },
  }),
  action({
    method: 'DELETE',
    path: emailMessage.path,
    summary: 'Delete several sent emails',
    description: `Deletes the records of the emails with the keys in \`items\`. ${DELETE_REMARK}`,
    errors: { invalid: 'Nothing is named, or an entry is not a key.', wrong_state: 'An email has not been sent yet.' },
    access: superuser,
    status: 204,
    readsBody: true,
    body: { items: input.list(input.text({ help: 'The key of an email.' }), { required: true, help: 'The emails to delete.' }) },
    async run({ tx, raw }) {
      const { items = [] } = readBulkSelection({ items: raw.items })
      const ids = items.filter((item) => typeof item === 'string')
      if (ids.length < items.length) throw invalid({ items: [INVALID_BULK_ITEM] })
      await deleteMails(queryWithin(tx), ids)
    },
  }),
  action({
    method: 'POST',
    path: '/api/admin/email/test/',
    summary: 'Send a test mail',
    description:
      'Sends a test mail to an address. Rejected less than `MAIL_AGAIN_SECONDS` after the last one, and after five in an hour. `/api/admin/email/` shows the result.',
    errors: { throttled: 'The last test mail to the address was sent too recently, or there were too many.' },
    example: { body: { email: 'ada@example.com' } },
    access: superuser,
    body: { email: input.email({ required: true, help: 'The address that the mail is sent to.' }) },
    response: Type.Object({ email: Type.String({ format: 'email', description: 'The same address.' }) }),
    async run(request) {
      const { body, caller, config } = request
      if ((await sendMail(request, { kind: 'test', user: caller.pk, address: body.email })) === undefined)
        throw new Problem('throttled', undefined, { 'retry-after': String(config.mailAgainSeconds) })
      return body
    },
  }),
]

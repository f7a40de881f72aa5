import { action, Json, view } from '../../../kit/action.ts'
import { signedIn } from '../../../kit/caller.ts'
import { type Detail, readDetail } from '../../../kit/detail.ts'
import { answerSchema } from '../../../kit/resource.ts'
import { update, writeShape } from '../../../kit/write.ts'
import { ownAccount } from './own-account.ts'

const contract = { path: '/api/auth/user/', access: signedIn, answer: answerSchema(ownAccount) }

const json = ({ body, version }: Detail) => new Json(body, { etag: `"${version}"` })

export const readOwnAccount = view({
  ...contract,
  summary: 'The own account',
  async read({ caller, ...services }) {
    return json(await readDetail(ownAccount, caller.pk, new Set(), { caller, services, through: services.database }))
  },
})

const change = (method: 'PUT' | 'PATCH', summary: string) =>
  action({
    ...contract,
    method,
    summary,
    body: writeShape(ownAccount),
    readsBody: true,
    async run({ tx, caller, exchange, raw, ifMatch, ...services }) {
      const write = { tx, caller, exchange, services, body: raw, flags: new Set<string>(), ifMatch }
      return json(await update(ownAccount, caller.pk, write, method === 'PATCH'))
    },
  })

export const replaceOwnAccount = change('PUT', 'Replace the own account')
export const changeOwnAccount = change('PATCH', 'Change the own account')

import { action, view } from '../../../kit/definition/action.ts'
import { answerSchema } from '../../../kit/definition/resource.ts'
import { detailJson, readDetail } from '../../../kit/reading/detail.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { update, writeOf } from '../../../kit/writing/write.ts'
import { ownAccount } from './own-account.ts'

const contract = { path: '/api/auth/user/', access: signedIn, answer: answerSchema(ownAccount) }

export const readOwnAccount = view({
  ...contract,
  summary: 'The own account',
  async read({ caller, ...services }) {
    return detailJson(await readDetail(ownAccount, caller.pk, new Set(), { caller, services, through: services.database }))
  },
})

const change = (method: 'PUT' | 'PATCH', summary: string) =>
  action({
    ...contract,
    method,
    summary,
    writes: ownAccount,
    async run(request) {
      return detailJson(await update(ownAccount, request.caller.pk, writeOf(request), method === 'PATCH'))
    },
  })

export const replaceOwnAccount = change('PUT', 'Replace the own account')
export const changeOwnAccount = change('PATCH', 'Change the own account')

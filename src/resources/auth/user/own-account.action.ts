import { type Action, action, view } from '../../../kit/definition/action.ts'
import { responseSchema } from '../../../kit/definition/resource.ts'
import { readDetail, toDetailJson } from '../../../kit/reading/detail.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { toWriteRequest, update } from '../../../kit/writing/write.ts'
import { ownAccount } from './own-account.ts'

const contract = { path: '/api/auth/user/', access: signedIn, response: responseSchema(ownAccount) }

export const readOwnAccount = view({
  ...contract,
  summary: "Get the caller's account",
  description: 'The name and address of the caller.',
  async read({ caller, ...services }) {
    return toDetailJson(await readDetail(ownAccount, caller.pk, new Set(), { caller, services, executor: services.database }))
  },
})

const createChangeAction = (method: 'PUT' | 'PATCH', summary: string, docs: Pick<Action, 'description' | 'example'>) =>
  action({
    ...contract,
    ...docs,
    method,
    summary,
    versioned: true,
    writes: ownAccount,
    async run(request) {
      return toDetailJson(await update(ownAccount, request.caller.pk, toWriteRequest(request), method === 'PATCH'))
    },
  })

export const replaceOwnAccount = createChangeAction('PUT', "Replace the caller's account", {
  description: 'Replaces the names of the caller: a missing first or last name becomes empty.',
  example: { body: { username: 'demo', first_name: 'Ada', last_name: 'Finch' } },
})
export const changeOwnAccount = createChangeAction('PATCH', "Change the caller's account", {
  description: 'Changes the given names of the caller. Change the address at `/api/auth/emails/`.',
  example: { body: { first_name: 'Ada' } },
})

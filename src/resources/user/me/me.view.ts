import { detailJson, view } from '../../../kit/action.ts'
import { signedIn } from '../../../kit/caller.ts'
import { readDetail } from '../../../kit/detail.ts'
import { answerSchema } from '../../../kit/resource.ts'
import { user } from '../user.resource.ts'

export const readMe = view({
  path: '/api/user/me/',
  summary: "The caller's own account",
  access: signedIn,
  answer: answerSchema(user),
  async read({ caller, ...services }) {
    const found = await readDetail(user, caller.pk, new Set(), { caller, services, through: services.database })
    return detailJson(found)
  },
})

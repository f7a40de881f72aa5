import { procedure } from '../../kit/definition/action.ts'
import { everyone } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'
import { serviceErrors } from '../service-errors.ts'

export const receiveWebhook = procedure({
  method: 'POST',
  path: '/api/webhook/{endpoint}/',
  summary: 'Send to a webhook',
  description:
    'Takes what another service sends to a webhook. There are none: what plugins take from other services has its addresses under `/plugin/`.',
  refuses: { not_found: 'There is no such webhook.' },
  access: everyone,
  status: 200,
  needsNoRoom: true,
  readsBody: true,
  params: { endpoint: 'What the webhook is called.' },
  example: { params: { endpoint: 'suppliers' }, status: 404 },
  handle() {
    throw new Problem('not_found', serviceErrors.unknown_webhook)
  },
})

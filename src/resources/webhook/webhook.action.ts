import { procedure } from '../../kit/definition/action.ts'
import { everyone } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'
import { serviceErrors } from '../service-errors.ts'

export const receiveWebhook = procedure({
  method: 'POST',
  path: '/api/webhook/{endpoint}/',
  summary: 'Send to a webhook',
  description: 'Receives a request of another service. There are no webhooks: plugins receive such requests under `/plugin/`.',
  errors: { not_found: 'The webhook does not exist.' },
  access: everyone,
  status: 200,
  worksOnFullDisk: true,
  readsBody: true,
  params: { endpoint: 'The name of the webhook.' },
  example: { params: { endpoint: 'suppliers' }, status: 404 },
  handle() {
    throw new Problem('not_found', serviceErrors.unknown_webhook)
  },
})

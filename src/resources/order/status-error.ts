import { Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'

/**
 * Creates the error for an action that the status of the order does not allow (docs/decisions.md#actions-in-the-wrong-status). Existing
 * clients expect a bare list of strings (docs/configuration.md#wire-form).
 */
export const wrongStateProblem = ({ config }: Pick<Services, 'config'>, message: ErrorMessage): Problem =>
  new Problem('wrong_state', config.wire.bareStateErrors ? [message] : { non_field_errors: [message] })

/**
 * Whether an action on an order that already has the target status succeeds without doing anything: existing clients complete an order that
 * completed itself with its last line (docs/decisions.md#repeated-actions).
 */
export const acceptsRepeatedAction = ({ config }: Pick<Services, 'config'>): boolean => config.wire.acceptsRepeatedActions

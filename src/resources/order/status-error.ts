import { Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'

/**
 * The rejection of an action that the status of the order does not allow (decision 24). Existing clients expect a bare list of strings (the
 * table WIRE_FORM).
 */
export const wrongStateProblem = ({ config }: Pick<Services, 'config'>, message: ErrorMessage): Problem =>
  new Problem('wrong_state', config.wireForm === 'inventree' ? [message] : { non_field_errors: [message] })

/**
 * Whether an action on an order that already has the target status succeeds without doing anything: existing clients complete an order that
 * completed itself with its last line (decision 48, the table WIRE_FORM).
 */
export const acceptsRepeatedAction = ({ config }: Pick<Services, 'config'>): boolean => config.wireForm === 'inventree'

import { Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'

/**
 * The refusal of an action for the state that the order is in (decision 24). Existing clients expect a bare list of texts
 * (the table WIRE_FORM).
 */
export const wrongState = ({ config }: Pick<Services, 'config'>, message: ErrorMessage): Problem =>
  new Problem('wrong_state', config.wireForm === 'inventree' ? [message] : { non_field_errors: [message] })

/**
 * Whether an action that finds its order already in the state that it leads to is to answer as if it had done its work, and do
 * nothing: existing clients complete an order that completed itself with its last line (decision 48, the table WIRE_FORM).
 */
export const acceptsAlreadySo = ({ config }: Pick<Services, 'config'>): boolean => config.wireForm === 'inventree'

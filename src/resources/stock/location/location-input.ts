import { type Input, reference } from '../../../kit/definition/input.ts'
import { stockLocation } from './stock-location.table.ts'

/** The location in the body of an action; the action checks that it can hold stock. */
export const locationInput = (help: string, label?: string): Input<number> =>
  reference(() => stockLocation, {
    required: true,
    options: { model: 'stocklocation', api_url: '/api/stock/location/' },
    label,
    help: `${help}; it must not be structural.`,
  })

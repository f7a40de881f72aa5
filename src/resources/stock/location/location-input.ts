import { type Input, reference } from '../../../kit/definition/input.ts'
import { stockLocation } from './stock-location.table.ts'

/** The location that the body of an action names; that it can hold stock is for the action to check. */
export const locationInput = (help: string, label?: string): Input<number> =>
  reference(() => stockLocation, {
    required: true,
    options: { model: 'stocklocation', api_url: '/api/stock/location/' },
    label,
    help: `${help}; it must not be structural.`,
  })

/** One option of a setting, in its wire form. */
export type Choice<Value extends string = string> = { readonly value: Value; readonly display_name: string }

/** Options that depend on the running service: installed plugins, and existing groups. */
export type ChoiceSource = 'currency' | 'rate_plugin' | 'group' | 'label_printer'

/** The current options of each source. An empty list accepts anything. */
export type ChoiceLists = { readonly [source in ChoiceSource]: readonly Choice[] }

const choices = (entries: Record<string, string>): Choice[] =>
  Object.entries(entries).map(([value, display_name]) => ({ value, display_name }))

/** Options before any plugin or group is loaded. */
export const builtInChoices: ChoiceLists = {
  currency: choices({
    AUD: 'Australian Dollar',
    CAD: 'Canadian Dollar',
    CNY: 'Chinese Yuan',
    EUR: 'Euro',
    GBP: 'British Pound',
    JPY: 'Japanese Yen',
    NZD: 'New Zealand Dollar',
    USD: 'US Dollar',
  }),
  rate_plugin: choices({ '': 'No plugin', inventreecurrencyexchange: 'Currency exchange' }),
  group: [],
  label_printer: choices({
    '': 'No printer',
    inventreelabel: 'PDF, one label per page',
    inventreelabelsheet: 'PDF, sheets of labels',
    inventreelabelmachine: 'Label printer',
  }),
}

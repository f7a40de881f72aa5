/** A filter, applied to a value and its arguments. Named arguments are passed as pairs; `readOptions` reads those. */
export type FilterHandler = (value: unknown, ...args: unknown[]) => unknown

/** The global settings that are not confidential. */
export type OpenSettings = { get(key: string): unknown }

/**
 * Reads the named arguments of a filter, as in `| qrcode: border: 2`: LiquidJS passes each as a pair.
 * @throws Error for an unknown name
 */
export function readOptions(args: readonly unknown[], optionNames: readonly string[]): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const entry of args) {
    if (!Array.isArray(entry)) throw new Error(`Options must be given by name: ${optionNames.join(', ')}.`)
    const [name, value] = entry as [string, unknown]
    if (!optionNames.includes(name)) throw new Error(`The option "${name}" does not exist: use ${optionNames.join(', ')}.`)
    options[name] = value
  }
  return options
}

/** Returns the positional arguments of a filter. */
export const listPositional = (args: readonly unknown[]): unknown[] => args.filter((entry) => !Array.isArray(entry))

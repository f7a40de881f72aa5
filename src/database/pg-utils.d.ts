declare module 'pg/lib/utils.js' {
  /** Converts a value to the form in which `pg` sends it: a string, bytes, or null. */
  export function prepareValue(value: unknown): string | Buffer | null
}

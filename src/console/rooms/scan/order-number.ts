/** The number of the order that a label of goods names, as its buyer wrote it; undefined for a label that names none. */
export function orderNumberOn(code: string): string | undefined {
  if (!code.startsWith('[)>')) return undefined
  const field = code.split(/\p{Cc}/u).find((one) => /^K./.test(one))
  return field?.slice(1).trim()
}

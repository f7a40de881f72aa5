/** What is lost when an assembly is built: nothing, a number for each build order, or a share of at most 100 %. */
export function overageObjection(overage: string): string | undefined {
  const [, number, percent] = /^(\d{1,10}(?:\.\d{1,10})?)\s*(%?)$/.exec(overage) ?? []
  if (number === undefined) return 'It must be a number that is not negative, or a percentage, as 5 %.'
  if (percent && Number(number) > 100) return 'It must not exceed 100 %.'
}

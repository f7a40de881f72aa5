/** The quantity of a part in production: outputs of open build orders. */
export const sumInProduction = (part: string): string => `coalesce((
  select sum(item.quantity) {from stock_item} item {join build_order} build on build.pk = item.build
  where item.part = ${part} and item.is_building and is_active_build(build.status)
), 0)`

import { type Feature, isEnabled } from './session.ts'

/** Fields, filters and columns that belong to a feature. */
const FEATURES_BY_FIELD: Readonly<Record<string, Feature>> = {
  expiry_date: 'STOCK_ENABLE_EXPIRY',
  default_expiry: 'STOCK_ENABLE_EXPIRY',
  expired: 'STOCK_ENABLE_EXPIRY',
  stale: 'STOCK_ENABLE_EXPIRY',
  revision: 'PART_ENABLE_REVISION',
  revision_of: 'PART_ENABLE_REVISION',
  test_station: 'TEST_STATION_DATA',
  started_datetime: 'TEST_STATION_DATA',
  finished_datetime: 'TEST_STATION_DATA',
}

/** Whether a field, a filter or a column of this name is shown: those of a disabled feature are not. */
export const isFieldVisible = (name: string): boolean => {
  const feature = FEATURES_BY_FIELD[name]
  return feature === undefined || isEnabled(feature)
}

/** The package that plugins import: the `plugin-api` of the service that runs them. */
export const apiPackage = '@stockroom-inventory/plugin'

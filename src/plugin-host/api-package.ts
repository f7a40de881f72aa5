/** The package that plugins import, which is the `plugin-api` of the service that runs them. */
export const apiPackage = '@stockroom-inventory/plugin'

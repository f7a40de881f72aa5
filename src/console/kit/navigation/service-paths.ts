/** Paths of the service that are not pages of the console. */
export const SERVICE_PATHS = /^\/(api|api-doc|docs|media|static|plugin|accounts|platform|console)(\/|$)/

/** The plugin that makes a PDF of labels, one per page. The service implements it itself; it prints if a request names none. */
export const PDF_PLUGIN = 'inventreelabel'

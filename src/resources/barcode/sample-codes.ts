/** Codes of real labels as scanners read them, used by tests (the separators are the real characters). */
const [RS, GS, EOT] = ['\u001e', '\u001d', '\u0004']
const digikey = (...product: readonly string[]): string =>
  [`[)>${RS}06`, ...product, 'K', '1K72991337', '10K85781337', '11K1', '4LPH', 'Q10', '11ZPICK', '12Z15221337', '13Z361337']
    .concat(`20Z${'0'.repeat(175)}`)
    .join(GS)

export const samples = {
  digikey: digikey('P296-LM358BIDDFRCT-ND', '1PLM358BIDDFR'),
  digikeyBy30P: digikey('30P296-LM358BIDDFRCT-ND'),
  digikeyNonsense: digikey('Pnonsense', '30Pnonsense', '1Pnonsense'),
  mouser: `${[`[)>${RS}06`, 'KP0-1337', '14K011', '1PMC34063ADR', 'Q3', '11K073121337', '4LMX', '1VTI'].join(GS)}${RS}${EOT}`,
  oldMouser: ['>[)>06', 'K21421337', '14K033', '1PLDK320ADU33R', 'Q32', '11K060931337', '4LCN', '1VSTMicro'].join(GS),
  lcsc: '{pbn:PICK2009291337,on:SO2009291337,pc:C312270,pm:ST-1-102-A01-T000-RS,qty:2,mc:,cc:1,pdi:34421807}',
  tme: 'QTY:1 PN:WBP-302 PO:19361337/1 CPO:PO-2023-06-08-001337 MFR:WISHERENTERPRISE MPN:WBP-302 RoHS https://www.tme.eu/details/WBP-302',
  oldTme: 'PWBP-302 1PMPNWBP-302 Q1 K19361337/1',
} as const

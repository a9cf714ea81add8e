/** The monitor that the reference shows. */
export const MONITOR_EXAMPLE = {
  name: 'Shop front page',
  url: 'https://shop.example/',
  interval: 60,
  assertions: [
    { type: 'status', operator: 'equals', value: 200 },
    { type: 'responseTime', operator: 'lessThan', value: 1500 },
  ],
  group: 'shop',
};

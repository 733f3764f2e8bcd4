/** Definitions with comments in each place. A comment begins with the title of its owner. */
export const commented = `# yaml-language-server: $schema=report.schema.json

# Report: what the board reads
name: "Sales"   # Report: quoted
workspace:    Retail
dataset: orders
filters:
  - { field: Region, default: [West,  East] }   # Report: filters

# Report: pages
pages:
  # Overview: above
  - name: Overview  # Overview: name
    # Overview: rows
    rows:
      # Row 1: above
      - tiles:
          # A: above
          - type: kpi # A: type
            # A: metric above
            metric: Sales   # A: metric
            title: 'A'
            # A: end
          # B: above

          - type: line
            title: B
            x: Ordered by month
            y: [Sales,  Profit]   # B: y
            width: 6 # B width: width
            # B: end
      # Row 2: above
      - # Row 2: after the dash
        tiles:   # Row 2: tiles
          - { type: kpi, metric: Profit, title: C }   # C: beside
          # D: above
          - {type: text,   text: "# no comment", title: D, width: 3}
          # Row 2: end of tiles
        # Row 2: end
      # Overview: end of rows
    # Overview: end

  # Details: above
  - name: Details
    rows:
      - tiles:
          - type: text
            title: E
            text: |
              # no comment, either

              More   text
          # F: above, first line

          # F: above, second line
          - type: table
            title: F
            dimensions:
              - Region   # F: Region
              # F: above Owner
              - Owner
            metrics: [Sales]
            conditionalFormat:
              # F: format
              Sales: { type: bar }
# Report: end
`;

/** Lists without indentation, and a property that no schema knows. */
export const unusual = `name: Sales
workspace: Retail
dataset: orders
later: [1,   2] # Report: unknown
pages:
# Overview: above
- name: Overview
  icon:   star   # Overview: unknown
  rows:
  # Row 1: above
  - tiles:
    - {type: kpi, metric: Sales, title: A}
    # B: above
    - type: kpi
      metric: Sales
      title: B
      glow:  [1,  2]   # B: unknown
      # B: end
  # Row 2: above
  - tiles: [{type: kpi, metric: Sales, title: C}]   # Row 2: beside
  # Row 3: above
  - tiles:
    # D: above
    - type: kpi
      metric: >-
        Sales
      title: D
- name: Details
  rows:
  - tiles:
    - type: kpi
      metric: Sales
      title: E
# Report: end`;

/** Descriptions of the schema of tiles in Portuguese, by the English ones. */
export const portugueseHelp: Readonly<Record<string, string>> = {
  'Width in columns; a row has 12. Default: an equal share of the columns that are left.':
    'Largura em colunas; uma linha tem 12. Padrão: uma parte igual das colunas que restam.',
  'Compares the last period with the one before it. Needs the time of the dataset.':
    'Compara o último período com o anterior. Precisa do tempo do conjunto de dados.',
  'A small line of the metric over the time of the dataset, one point for each period.':
    'Uma pequena linha da métrica ao longo do tempo do conjunto de dados, um ponto por período.',
  'The number to reach, or a metric with it.': 'O número a atingir, ou uma métrica com ele.',
  'A field. A date can have a grain, such as Order Date by month.':
    'Um campo. Uma data pode ser agrupada, por exemplo, por mês.',
  'A metric or a list of metrics.': 'Uma métrica ou uma lista de métricas.',
  'One series for each value. Only with a single metric.':
    'Uma série para cada valor. Só com uma única métrica.',
  'One small chart for each value.': 'Um pequeno gráfico para cada valor.',
  'Maximum number of values of x. The others are combined into one. Periods have no limit.':
    'Número máximo de valores de x. Os outros são reunidos em um só. Períodos não têm limite.',
  'Default: x ascending for dates and numbers; the first metric descending for text.':
    'Padrão: x crescente para datas e números; a primeira métrica decrescente para textos.',
  'One point for each value.': 'Um ponto para cada valor.',
  'Name of a dimension or metric of this table. A leading - sorts in descending order.':
    'Nome de uma dimensão ou métrica desta tabela. Um - no início ordena de forma decrescente.',
  'Highlights numbers, by the name of a metric of this tile. It replaces that of the metric.':
    'Destaca números, pelo nome de uma métrica deste bloco. Substitui o destaque da métrica.',
  'Addresses to which the values of a dimension of this table link.':
    'Endereços para os quais levam os valores de uma dimensão desta tabela.',
  'Markdown without HTML and images.': 'Markdown sem HTML e imagens.',
};

export const translateHelp = (help: string, language: string): string =>
  language === 'pt' ? (portugueseHelp[help] ?? help) : help;

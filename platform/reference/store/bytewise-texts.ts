import {
  type ColumnDefinitionNode,
  DataTypeNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type QueryId,
  RawNode,
} from "kysely";

/** Makes every text column compare by bytes, as in SQLite, whatever the server's locale. */
export class BytewiseTexts implements KyselyPlugin {
  readonly #transformer = new Transformer();

  transformQuery({ node, queryId }: PluginTransformQueryArgs) {
    return this.#transformer.transformNode(node, queryId);
  }

  transformResult: KyselyPlugin["transformResult"] = async ({ result }) => result;
}

class Transformer extends OperationNodeTransformer {
  protected override transformColumnDefinition(node: ColumnDefinitionNode, queryId?: QueryId): ColumnDefinitionNode {
    const column = super.transformColumnDefinition(node, queryId);
    const isText = DataTypeNode.is(column.dataType) && column.dataType.dataType === "text";
    return isText ? { ...column, dataType: RawNode.createWithSql('text collate "C"') } : column;
  }
}

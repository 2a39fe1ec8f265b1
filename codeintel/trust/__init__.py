"""The trust network: evidence about packages, and scores with their evidence.

Other packages import only `assembly`, `cohorts`, `collection`, `comparing`, `forecasts`,
`forecasts.process`, `forecasts.series`, `genome`, `names`, `names.shapes`, `network`,
`network.ranking`, `recorded`, `reports`, `scores`, `service`, `shapes`, `store`, `tables`,
`targets` and `work`.
"""

@node "%~dp0pulumi-resource-dbplatform" %*

class ActionsController < ApplicationController
  before_action :authenticate_user!

  def run
    document = current_user.documents.find(params[:id])
    result = document.public_send(params[:operation], *Array(params[:arguments]))
    render json: { result: result }
  end
end
